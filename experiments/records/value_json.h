#pragma once

#include <nlohmann/json.hpp>
#include <variant>

#include "hw/parameter.h"

namespace weir::experiments::records {

/// A parameter's value, in its own type.
[[nodiscard]] inline nlohmann::ordered_json json_of(const hw::ParameterValue& value) {
    return std::visit([](const auto& held) { return nlohmann::ordered_json(held); }, value);
}

}  // namespace weir::experiments::records
