#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weir::firmware {

/// Weir's own Sparcle program of this name (sparcle/CMakeLists.txt): an ELF file that is part of
/// the emulator, or of its build folder. Empty if there is none.
std::span<const std::uint8_t> built_in_image(std::string_view name);

}  // namespace weir::firmware
