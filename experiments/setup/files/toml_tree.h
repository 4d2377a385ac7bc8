#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

struct TomlEntry;

/// Entries in the order of the text.
struct TomlTable {
    std::vector<TomlEntry> entries;

    [[nodiscard]] const TomlEntry* find(std::string_view key) const;
};

struct TomlList {
    std::vector<TomlEntry> items;
};

/// A date, a time or both. No parameter accepts one; it is kept only for messages.
struct TomlDate {
    std::string kind;
};

/// A key of a TOML text with its value, or an item of a list (without a key), and their places. The
/// rest of the program sees TOML only in this form; only one file includes toml++.
struct TomlEntry {
    std::string key;
    Place key_place;
    Place place;
    std::variant<bool, std::int64_t, double, std::string, TomlDate, TomlList, TomlTable> value;

    [[nodiscard]] const TomlTable* as_table() const { return std::get_if<TomlTable>(&value); }
    [[nodiscard]] const TomlList* as_list() const { return std::get_if<TomlList>(&value); }
    [[nodiscard]] const std::string* as_string() const { return std::get_if<std::string>(&value); }
    /// The number, whole or not; empty for other types.
    [[nodiscard]] std::optional<double> as_number() const;
    /// Value for a parameter; empty for a date, a table, and a list of anything but whole numbers.
    [[nodiscard]] std::optional<hw::ParameterValue> as_parameter_value() const;
};

/// Parses the text into a table without key. Every Place has the given name of the text. Throws
/// UserFault with the position if the text is not TOML, for control characters, and for a number
/// too near to 0 for its type.
[[nodiscard]] TomlEntry parse_toml(std::string_view text, const std::string& source);

/// Parses the text as one TOML value without a comment; every Place in it is `place`. Returns
/// nullopt if the text is not a value. Throws UserFault as parse_toml().
[[nodiscard]] std::optional<TomlEntry> parse_toml_value(const std::string& text,
                                                        const Place& place);

/// Parts of a dotted key: `a."b.c"` is a and b.c; empty if the text is not a key.
[[nodiscard]] std::optional<std::vector<std::string>> parse_toml_key(const std::string& text);

/// Value and type for a message: `the string "two"`, `the whole number 0`, `a table`.
[[nodiscard]] std::string described(const TomlEntry& entry);

/// Value in TOML's syntax. A number that is not whole reads back to the same bits.
[[nodiscard]] std::string toml_text(const hw::ParameterValue& value);
[[nodiscard]] std::string toml_text(const TomlEntry& entry);

/// Throws UserFault if the entry's key is not one of the known keys of `owner` ("[sweep]", "a
/// range").
void require_key(const TomlEntry& entry, const std::string& owner,
                 const std::vector<std::string>& known);

}  // namespace weir::experiments::setup
