#pragma once

#include <nlohmann/json.hpp>

/// How a struct of plain data is held by a result: its fields by their names, each listed once. In
/// the struct's namespace: WEIR_JSON_FIELDS(Lu::Facts, layout, rows)
#define WEIR_JSON_FIELDS(Type, ...)                                                               \
    inline void to_json(nlohmann::ordered_json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                  \
    }                                                                                             \
    inline void from_json(const nlohmann::ordered_json& nlohmann_json_j, Type& nlohmann_json_t) { \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))                \
    }
