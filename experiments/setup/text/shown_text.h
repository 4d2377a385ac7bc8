#pragma once

#include <string>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// A number as a person reads it: four digits, fewer where the rest are zeros; below 0.0001 with an
/// exponent, "2.5e-06". Only 0 is "0".
[[nodiscard]] std::string shown_number(double value);
/// With so many decimals, "0.313"; a number that they would show as 0 with two digits, "2.5e-06".
[[nodiscard]] std::string fixed_number(double value, int decimals);
/// The same of a share or a change in per cent, without the "%". One below 1e-9 is a rounding error
/// of what was divided, and so 0.
[[nodiscard]] std::string percent_number(double percent, int decimals = 1);
/// The same with its sign, "+3.4".
[[nodiscard]] std::string signed_number(double value, int decimals = 1);

/// "cycles_per_iteration" as "cycles per iteration".
[[nodiscard]] std::string spaced_name(std::string name);

/// A parameter's value as a cell of a table has it: a text without quotes.
[[nodiscard]] std::string value_text(const hw::ParameterValue& value);

}  // namespace weir::experiments::setup
