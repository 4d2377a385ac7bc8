#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weir::firmware {

/// The project's own program of that name for Sparcle nodes (sparcle/CMakeLists.txt), an ELF file
/// that the emulator carries in itself. Empty when there is none.
std::span<const std::uint8_t> built_in_image(std::string_view name);

}  // namespace weir::firmware
