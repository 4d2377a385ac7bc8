#pragma once

#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// The unit that a parameter's name ends with, as a person writes it: "cycles" of hop_cycles, "MHz"
/// of processor_mhz; empty where the name has none: what it counts, it says.
[[nodiscard]] std::string unit_of_name(std::string_view name);

}  // namespace weir::experiments::setup
