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

/// JSON that Weir once stored, and that others may have written to since: how its faults are told.
struct StoredJson {
    std::string source;    ///< the file that has it
    std::string found;     ///< "this is no result that weir run has left"
    std::string accepted;  ///< what would do
};

/// The text as JSON. Throws nlohmann::json::exception, also for what is beyond hw::kJsonLimits and
/// for a number whose whole part no 64 bits hold.
[[nodiscard]] nlohmann::ordered_json parse_json(std::string_view text);

/// As a fault of the user's: which file, and what in it. `why` are the library's words.
[[nodiscard]] setup::UserFault json_fault(const StoredJson& stored, std::string_view why);

/// What `read` makes of the text. Throws setup::UserFault, too, for what `read` finds missing or of
/// another type.
template <class Read>
[[nodiscard]] auto read_stored_json(std::string_view text, const StoredJson& stored,
                                    const Read& read) {
    try {
        return read(parse_json(text));
    } catch (const nlohmann::json::exception& fault) {
        throw json_fault(stored, fault.what());
    }
}

/// A whole number that its type can hold. Throws nlohmann::json::exception for another one.
template <std::integral T>
[[nodiscard]] T whole_number(const nlohmann::ordered_json& json) {
    const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.get<std::uint64_t>())
                      : json.is_number_integer() ? std::in_range<T>(json.get<std::int64_t>())
                                                 : false;
    if (!fits) {
        throw nlohmann::json::type_error::create(
            302, "must be a whole number in its range, but is " + std::string(json.type_name()),
            &json);
    }
    return json.get<T>();
}

/// A whole number of 0 or more: how many there are of something, or a cycle.
[[nodiscard]] std::int64_t count_from(const nlohmann::ordered_json& json);

/// A number of 0 or more: a time, or half of an interval.
[[nodiscard]] double extent_from(const nlohmann::ordered_json& json);

/// A parameter's value, in its own type.
[[nodiscard]] nlohmann::ordered_json json_of(const hw::ParameterValue& value);

/// What a parameter's value in a configuration says, of the type that JSON has it in.
[[nodiscard]] hw::ParameterValue parameter_value_from(const nlohmann::ordered_json& json);

/// Of an enumeration from 0 to `last`.
template <class Enumeration>
[[nodiscard]] Enumeration enumerator(const nlohmann::ordered_json& json, Enumeration last) {
    const int number = whole_number<int>(json);
    if (number < 0 || number > static_cast<int>(last)) {
        throw nlohmann::json::out_of_range::create(
            406, std::to_string(number) + " is none of the numbers that it can be", &json);
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
