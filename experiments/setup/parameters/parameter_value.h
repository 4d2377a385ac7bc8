#pragma once

#include <optional>
#include <string>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// The number, also of a list of one number; empty for other values.
[[nodiscard]] std::optional<double> number_of(const hw::ParameterValue& value);

/// Part of a parameter's key behind the table: "hop_cycles".
[[nodiscard]] std::string short_key(const std::string& key);

}  // namespace weir::experiments::setup
