#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::records {

/// Source of stored JSON, and texts for messages about invalid JSON. The JSON was written by Weir,
/// but may have been edited since.
struct StoredJson {
    std::string source;  ///< file that holds the JSON
    /// Found fault in a message, for example "this is not a result of weir run".
    std::string found;
    std::string accepted;  ///< accepted input, as a message names it
};

/// Parses JSON. Throws nlohmann::json::exception for text that is not JSON, exceeds
/// hw::kJsonLimits, or has a number beyond the range of 64-bit integers.
[[nodiscard]] nlohmann::ordered_json parse_json(std::string_view text);

/// UserFault that reports invalid stored JSON. `why` is the JSON library's message.
[[nodiscard]] setup::UserFault json_fault(const StoredJson& stored, std::string_view why);

/// Parses `text` and returns read(json). Throws setup::UserFault if the text is not JSON, or if
/// `read` finds an entry missing or of another type.
template <class Read>
[[nodiscard]] auto read_stored_json(std::string_view text, const StoredJson& stored,
                                    const Read& read) {
    try {
        return read(parse_json(text));
    } catch (const nlohmann::json::exception& fault) {
        throw json_fault(stored, fault.what());
    }
}

/// Whole number. Throws nlohmann::json::exception if the JSON is not a whole number in the range of
/// T.
template <std::integral T>
[[nodiscard]] T whole_number(const nlohmann::ordered_json& json) {
    const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.get<std::uint64_t>())
                      : json.is_number_integer() ? std::in_range<T>(json.get<std::int64_t>())
                                                 : false;
    if (!fits) {
        throw nlohmann::json::type_error::create(
            302,
            "must be a whole number in its range, but is of type " + std::string(json.type_name()),
            &json);
    }
    return json.get<T>();
}

/// Whole number of at least 0 from JSON, such as a count or a cycle.
[[nodiscard]] std::int64_t count_from(const nlohmann::ordered_json& json);

/// Number of at least 0 from JSON, such as a time or a half width.
[[nodiscard]] double extent_from(const nlohmann::ordered_json& json);

/// Value of a parameter as JSON of its own type.
[[nodiscard]] nlohmann::ordered_json json_of(const hw::ParameterValue& value);

/// Value of a parameter in a configuration. Its type follows from the JSON type.
[[nodiscard]] hw::ParameterValue parameter_value_from(const nlohmann::ordered_json& json);

/// Enumerator that the JSON gives by its number, from 0 to that of `last`.
template <class Enumeration>
[[nodiscard]] Enumeration enumerator(const nlohmann::ordered_json& json, Enumeration last) {
    const int number = whole_number<int>(json);
    if (number < 0 || number > static_cast<int>(last)) {
        throw nlohmann::json::out_of_range::create(
            406, std::to_string(number) + " is not a valid number of this entry", &json);
    }
    return static_cast<Enumeration>(number);
}

template <std::integral T>
[[nodiscard]] std::vector<T> whole_numbers_in(const nlohmann::ordered_json& json) {
    std::vector<T> numbers;
    for (const nlohmann::ordered_json& number : json) {
        numbers.push_back(whole_number<T>(number));
    }
    return numbers;
}

}  // namespace weir::experiments::records
