#pragma once

#include <string>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Number for readers, with at most four significant digits and without trailing zeros. Below
/// 0.0001 with an exponent: "2.5e-06". Only 0 itself is shown as "0".
[[nodiscard]] std::string shown_number(double value);
/// Number with `decimals` decimals, "0.313". A nonzero number that would read as 0 has two digits
/// and an exponent, "2.5e-06".
[[nodiscard]] std::string fixed_number(double value, int decimals);
/// fixed_number() of a percentage, without the "%". Values below 1e-9 are rounding errors of a
/// division, and shown as 0.
[[nodiscard]] std::string percent_number(double percent, int decimals = 1);
/// fixed_number() with its sign, "+3.4".
[[nodiscard]] std::string signed_number(double value, int decimals = 1);

/// Name with blanks: "cycles_per_iteration" becomes "cycles per iteration".
[[nodiscard]] std::string spaced_name(std::string name);

/// The text with lower-case letters.
[[nodiscard]] std::string in_small_letters(std::string text);

/// A parameter's value as a table's cell; texts have no quotes.
[[nodiscard]] std::string value_text(const hw::ParameterValue& value);

}  // namespace weir::experiments::setup
