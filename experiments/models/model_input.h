#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace weir::experiments::models {

/// Value of an input that has not been given; every model refuses it with the input's name.
constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

/// Largest value of any quantity: doubles still resolve whole cycles, and the models do not
/// overflow.
constexpr double kLargestQuantity = 1e15;

/// Throws ModelError unless smallest <= value <= kLargestQuantity. `name` includes the paper's
/// symbol: "latency_cycles (L)". The unit follows from `name` unless it is given.
void require_quantity(std::string_view name, double value, double smallest = 0.0,
                      std::string_view unit = {});

/// Throws ModelError unless value >= smallest.
void require_count(std::string_view name, int value, int smallest, std::string_view unit);

/// Shortest decimal that reads back as the same double, so that errors never show 0.99999999 as 1.
std::string shortest_text(double value);

}  // namespace weir::experiments::models
