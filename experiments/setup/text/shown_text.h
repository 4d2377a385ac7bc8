#pragma once

#include <string>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// A number as a person reads it: four digits, fewer where the rest are zeros.
[[nodiscard]] std::string shown_number(double value);

/// "cycles_per_iteration" as "cycles per iteration".
[[nodiscard]] std::string spaced_name(std::string name);

/// A parameter's value as a cell of a table has it: a text without quotes.
[[nodiscard]] std::string value_text(const hw::ParameterValue& value);

}  // namespace weir::experiments::setup
