#pragma once

#include <array>
#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "experiments/records/held_json.h"
#include "experiments/records/json_input.h"
#include "experiments/records/metrics.h"

namespace weir::experiments::records {

// Mapping of structs to JSON: kEntries<T> declares each entry once. Writer, reader and JSON schema
// are generated from it.

/// Rules of an entry beyond its type: limits for the schema, and the condition for leaving the
/// entry out.
struct EntryRule {
    /// Least value of a number, or of each number in a list; 0 or more.
    std::optional<int> least{};
    bool is_filled = false;    ///< the text or the list is not empty
    bool is_distinct = false;  ///< the list has no duplicates
    /// The entry is left out if its value is that of a default-constructed T.
    bool may_be_absent = false;
    /// Key of an earlier entry; this entry is absent exactly when that one is.
    const char* beside = nullptr;
    const char* definition = nullptr;  ///< name of the schema's definition of the entry's type
};

template <class T>
struct Entry {
    const char* key;
    void (*write)(const T& whole, nlohmann::ordered_json& object, const Entry& entry);
    void (*read)(const nlohmann::ordered_json& object, T& whole, const Entry& entry);
    nlohmann::ordered_json (*schema)(const char* sentence, const EntryRule& rule);
    bool is_required;
    const char* sentence;
    EntryRule rule;
};

/// Key of a placeholder for all entries that are listed in the schema itself, not declared here.
inline constexpr const char* kRest = "";

/// Entries of T in the order of the file; specialized beside the code that writes T.
template <class T>
inline constexpr std::nullptr_t kEntries = nullptr;

template <class T>
concept HasEntries = !std::same_as<std::remove_cv_t<decltype(kEntries<T>)>, std::nullptr_t>;

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
/// True for lists of names with values, which become a JSON object.
template <class T>
inline constexpr bool kIsNamed = false;
template <class T>
inline constexpr bool kIsNamed<std::vector<std::pair<std::string, T>>> = true;

/// JSON of a value.
template <class T>
[[nodiscard]] nlohmann::ordered_json written(const T& value) {
    nlohmann::ordered_json json;
    if constexpr (HasEntries<T>) {
        json = nlohmann::ordered_json::object();
        for (const Entry<T>& entry : kEntries<T>) {
            entry.write(value, json, entry);
        }
    } else if constexpr (kIsNamed<T>) {
        json = nlohmann::ordered_json::object();
        for (const auto& [name, each] : value) {
            if constexpr (std::same_as<T, Metrics>) {
                json[name] = each;
            } else {
                json[name] = json_of(each);
            }
        }
    } else if constexpr (kIsList<T>) {
        json = nlohmann::ordered_json::array();
        for (const auto& each : value) {
            json.push_back(written(each));
        }
    } else if constexpr (std::same_as<T, HeldJson>) {
        json = *value;
    } else {
        json = value;
    }
    return json;
}

/// Reads a value from JSON. Throws nlohmann::json::exception if an entry is missing or not as
/// declared.
template <class T>
void read_value(const nlohmann::ordered_json& json, T& value, const EntryRule& rule = {}) {
    if constexpr (HasEntries<T>) {
        for (const Entry<T>& entry : kEntries<T>) {
            entry.read(json, value, entry);
        }
    } else if constexpr (kIsOptional<T>) {
        read_value(json, value.emplace(), rule);
    } else if constexpr (kIsNamed<T>) {
        for (const auto& [name, each] : json.items()) {
            auto& named = value.emplace_back();
            named.first = name;
            if constexpr (std::same_as<T, Metrics>) {
                named.second = each.template get<double>();
            } else {
                named.second = parameter_value_from(each);
            }
        }
    } else if constexpr (kIsList<T>) {
        for (const nlohmann::ordered_json& each : json) {
            read_value(each, value.emplace_back(), rule);
        }
    } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        value = whole_number<T>(json);
        if (rule.least) {
            static_cast<void>(count_from(json));
        }
    } else if constexpr (std::floating_point<T>) {
        value = rule.least ? extent_from(json) : json.get<T>();
    } else if constexpr (std::same_as<T, HeldJson>) {
        *value = json;
    } else {
        json.get_to(value);
    }
}

/// JSON schema of an entry of type T.
template <class T>
[[nodiscard]] nlohmann::ordered_json schema_of(const char* sentence, const EntryRule& rule) {
    if constexpr (kIsOptional<T>) {
        return schema_of<typename T::value_type>(sentence, rule);
    }
    nlohmann::ordered_json schema = nlohmann::ordered_json::object();
    if (*sentence != '\0') {
        schema["description"] = sentence;
    }
    if constexpr (kIsList<T> && !kIsNamed<T>) {
        schema["type"] = "array";
        schema["items"] = schema_of<typename T::value_type>(
            "", {.least = rule.least, .definition = rule.definition});
        if (rule.is_filled) {
            schema["minItems"] = 1;
        }
        if (rule.is_distinct) {
            schema["uniqueItems"] = true;
        }
    } else if (rule.definition != nullptr) {
        schema["$ref"] = std::string("#/definitions/") + rule.definition;
    } else if constexpr (std::same_as<T, bool>) {
        schema["type"] = "boolean";
    } else if constexpr (std::is_arithmetic_v<T>) {
        schema["type"] = std::integral<T> ? "integer" : "number";
        if (rule.least || std::unsigned_integral<T>) {
            schema["minimum"] = rule.least.value_or(0);
        }
    } else {
        schema["type"] = "string";
        if (rule.is_filled) {
            schema["minLength"] = 1;
        }
    }
    return schema;
}

template <class T>
[[nodiscard]] T read_from(const nlohmann::ordered_json& json) {
    T value;
    read_value(json, value);
    return value;
}

template <class T, class Value>
[[nodiscard]] bool is_left_out(const Value& value, const Value& of_new, const Entry<T>& entry,
                               const nlohmann::ordered_json& object) {
    if (entry.rule.beside != nullptr) {
        return !object.contains(entry.rule.beside);
    }
    if constexpr (kIsOptional<Value>) {
        return !value;
    } else if constexpr (kIsList<Value>) {
        return entry.rule.may_be_absent && value.empty();
    } else if constexpr (std::equality_comparable<Value>) {
        return entry.rule.may_be_absent && value == of_new;
    } else {
        return false;
    }
}

template <class Whole, class Member>
Whole whole_of(Member Whole::*);

/// Entry for a member of a struct, or for a member of a nested struct.
template <auto First, auto... Rest>
[[nodiscard]] constexpr auto entry(const char* key, const char* sentence = "",
                                   const EntryRule& rule = {}) {
    using T = decltype(whole_of(First));
    using Value = std::remove_cvref_t<decltype(((std::declval<T&>().*First).*....*Rest))>;
    return Entry<T>{
        key,
        [](const T& whole, nlohmann::ordered_json& object, const Entry<T>& entry) {
            const T of_new{};
            const Value& value = ((whole.*First).*....*Rest);
            if (!is_left_out(value, ((of_new.*First).*....*Rest), entry, object)) {
                if constexpr (kIsOptional<Value>) {
                    object[entry.key] = written(*value);
                } else {
                    object[entry.key] = written(value);
                }
            }
        },
        [](const nlohmann::ordered_json& object, T& whole, const Entry<T>& entry) {
            const bool is_needed = entry.rule.beside != nullptr ? object.contains(entry.rule.beside)
                                                                : entry.is_required;
            if (is_needed || object.contains(entry.key)) {
                read_value(object.at(entry.key), ((whole.*First).*....*Rest), entry.rule);
            }
        },
        schema_of<Value>,
        !kIsOptional<Value> && !rule.may_be_absent && rule.beside == nullptr,
        sentence,
        rule};
}

/// Entry with `read` in place of its own reading function.
template <class T>
[[nodiscard]] constexpr Entry<T> with_reader(Entry<T> entry,
                                             void (*read)(const nlohmann::ordered_json&, T&,
                                                          const Entry<T>&)) {
    entry.read = read;
    return entry;
}

/// Entry that is composed from several members. The schema's definition named `key` describes it.
template <class T>
[[nodiscard]] constexpr Entry<T> composed_entry(
    const char* key, void (*write)(const T&, nlohmann::ordered_json&, const Entry<T>&),
    void (*read)(const nlohmann::ordered_json&, T&, const Entry<T>&), bool is_required = true) {
    return {key, write, read, schema_of<std::string>, is_required, "", {.definition = key}};
}

/// Adds the entries of T to a definition of the schema, and allows no others.
template <class T>
void add_entries(nlohmann::ordered_json& definition) {
    definition["type"] = "object";
    definition["additionalProperties"] = false;
    for (const Entry<T>& entry : kEntries<T>) {
        if (entry.key == std::string_view(kRest)) {
            continue;
        }
        definition["properties"][entry.key] = entry.schema(entry.sentence, entry.rule);
        if (entry.is_required) {
            definition["required"].push_back(entry.key);
        }
    }
}

}  // namespace weir::experiments::records
