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

/// A date, a time or both. No parameter takes one, so it is only kept to be named in a message.
struct TomlDate {
    std::string kind;
};

/// A key of a TOML text with its value, or an item of a list (which has no key), and where both
/// stand. The rest of the program sees TOML only as these; the library's headers stay in one file.
struct TomlEntry {
    std::string key;
    Place key_place;
    Place place;
    std::variant<bool, std::int64_t, double, std::string, TomlDate, TomlList, TomlTable> value;

    [[nodiscard]] const TomlTable* as_table() const { return std::get_if<TomlTable>(&value); }
    [[nodiscard]] const TomlList* as_list() const { return std::get_if<TomlList>(&value); }
    [[nodiscard]] const std::string* as_string() const { return std::get_if<std::string>(&value); }
    /// A number, whole or not.
    [[nodiscard]] std::optional<double> as_number() const;
    /// What a parameter can be given; nothing for a date, a table or a list of other things than
    /// whole numbers.
    [[nodiscard]] std::optional<hw::ParameterValue> as_parameter_value() const;
};

/// The text as a table without key. `source` names it in every Place.
/// Throws UserFault with the position when the text is not TOML, and for what it can't mean: a text
/// with control characters, a number nearer to 0 than any.
[[nodiscard]] TomlEntry parse_toml(std::string_view text, const std::string& source);

/// The text as one TOML value without a comment, every Place in it `place`; nothing when it isn't
/// one. Throws UserFault as parse_toml().
[[nodiscard]] std::optional<TomlEntry> parse_toml_value(const std::string& text,
                                                        const Place& place);

/// The parts of a dotted key: `a."b.c"` is a and b.c; nothing when the text isn't a key.
[[nodiscard]] std::optional<std::vector<std::string>> parse_toml_key(const std::string& text);

/// Value and type for a message: `the string "two"`, `the whole number 0`, `a table`.
[[nodiscard]] std::string described(const TomlEntry& entry);

/// As TOML writes it. A number that is not whole reads back to the same bits.
[[nodiscard]] std::string toml_text(const hw::ParameterValue& value);
[[nodiscard]] std::string toml_text(const TomlEntry& entry);

/// Throws UserFault if the entry's key is not one of the known keys of `owner` ("[sweep]", "a
/// range").
void require_key(const TomlEntry& entry, const std::string& owner,
                 const std::vector<std::string>& known);

}  // namespace weir::experiments::setup
