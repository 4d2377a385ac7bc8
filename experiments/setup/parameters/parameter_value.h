#pragma once

#include <optional>
#include <string>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// A number, or a list of one.
[[nodiscard]] std::optional<double> number_of(const hw::ParameterValue& value);

/// What follows the table in a parameter's key: "hop_cycles".
[[nodiscard]] std::string short_key(const std::string& key);

}  // namespace weir::experiments::setup
