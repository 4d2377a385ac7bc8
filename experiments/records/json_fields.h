#pragma once

#include <concepts>
#include <nlohmann/json.hpp>

#include "experiments/records/json_input.h"

namespace weir::experiments::records {

template <class T>
void field_from(const nlohmann::ordered_json& json, T& field) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        field = whole_number<T>(json);
    } else {
        json.get_to(field);
    }
}

}  // namespace weir::experiments::records

/// JSON conversion of a plain struct: lists each field once, by its name. Used in the struct's
/// namespace: WEIR_JSON_FIELDS(Lu::Facts, layout, rows)
#define WEIR_JSON_FIELD_FROM(name) \
    weir::experiments::records::field_from(nlohmann_json_j.at(#name), nlohmann_json_t.name);
#define WEIR_JSON_FIELDS(Type, ...)                                                               \
    inline void to_json(nlohmann::ordered_json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                  \
    }                                                                                             \
    inline void from_json(const nlohmann::ordered_json& nlohmann_json_j, Type& nlohmann_json_t) { \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(WEIR_JSON_FIELD_FROM, __VA_ARGS__))              \
    }
