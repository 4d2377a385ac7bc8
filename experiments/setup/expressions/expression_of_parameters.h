#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/expressions/expression.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Values of the names in an expression.
struct NamedValues {
    /// Keys with their values, as from resolved_values().
    std::vector<std::pair<std::string, hw::ParameterValue>> values;
    /// Keys that the axes of a sweep set; an ambiguous name means one of these.
    std::vector<std::string> swept = {};
};

/// Value, as a number, of the key that a name means. The name is a whole key, "network.flit_bytes",
/// or its last part if no other key ends in it, or no other swept key. A truth value is 1 or 0, a
/// list of one number is that number. Throws UserFault, with this place, for an unknown name, for a
/// name of several keys, and for a value that is not a number.
[[nodiscard]] double number_named(const std::string& name, const NamedValues& values,
                                  const Place& place);

/// Value of the expression with these values of names. Throws UserFault for a name without a
/// number, and for a value beyond the range of numbers.
[[nodiscard]] double value_of(const Expression& expression, const NamedValues& values);

}  // namespace weir::experiments::setup
