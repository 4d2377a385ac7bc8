#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/expressions/expression.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// What names in an expression stand for.
struct NamedValues {
    /// Keys with their values, as resolved_values() has them.
    std::vector<std::pair<std::string, hw::ParameterValue>> values;
    /// Of these, the keys that are meant first: what the axes of a sweep set.
    std::vector<std::string> swept = {};
};

/// The number that a name stands for: of the key "network.flit_bytes" by this name, or by its last
/// part alone where no other key ends so, or no other one that is swept. A truth value is 1 or 0, a
/// list of one number that number. Throws UserFault, with this place, for an unknown name, for one
/// that several keys have, and for a value that is no number.
[[nodiscard]] double number_named(const std::string& name, const NamedValues& values,
                                  const Place& place);

/// What an expression comes to of such values. Throws UserFault.
[[nodiscard]] double value_of(const Expression& expression, const NamedValues& values);

}  // namespace weir::experiments::setup
