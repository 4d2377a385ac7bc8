#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace weir::experiments::models {

/// What an input holds until someone gives it a value; every model refuses it by name.
constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

/// No quantity may be larger: up to here doubles still tell whole cycles apart, and nothing the
/// models compute overflows.
constexpr double kLargestQuantity = 1e15;

/// ModelError unless smallest <= value <= kLargestQuantity. The name is the input's, with the
/// paper's symbol.
void require_quantity(std::string_view name, double value, double smallest, std::string_view unit);

/// ModelError unless value >= smallest.
void require_count(std::string_view name, int value, int smallest, std::string_view unit);

/// The shortest decimal that reads back as this value, so that an error never shows 1 for
/// 0.99999999.
std::string shortest_text(double value);

}  // namespace weir::experiments::models
