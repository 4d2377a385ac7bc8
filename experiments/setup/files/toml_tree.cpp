#include "experiments/setup/files/toml_tree.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // UTF-8's

TomlEntry entry_of(const toml::node& node, const std::string& source);

Place place_of(const toml::source_region& region, const std::string& source) {
    return {source, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

TomlTable table_of(const toml::table& table, const std::string& source) {
    TomlTable in_order;
    for (const auto& [key, node] : table) {
        TomlEntry entry = entry_of(node, source);
        entry.key = key.str();
        entry.key_place = place_of(key.source(), source);
        // Tables under [[key]] get the place of their list, as toml++ has it.
        const TomlList* list = entry.as_list();
        if (list != nullptr && !list->items.empty() && list->items.front().place == entry.place) {
            entry.place = entry.key_place;
        }
        in_order.entries.push_back(std::move(entry));
    }
    std::stable_sort(in_order.entries.begin(), in_order.entries.end(),
                     [](const TomlEntry& a, const TomlEntry& b) {
                         return std::tie(a.key_place.line, a.key_place.column) <
                                std::tie(b.key_place.line, b.key_place.column);
                     });
    return in_order;
}

TomlList list_of(const toml::array& array, const std::string& source) {
    TomlList list;
    for (const toml::node& node : array) {
        list.items.push_back(entry_of(node, source));
    }
    return list;
}

TomlEntry entry_of(const toml::node& node, const std::string& source) {
    TomlEntry entry;
    entry.place = place_of(node.source(), source);
    switch (node.type()) {
        case toml::node_type::boolean:
            entry.value = node.as_boolean()->get();
            break;
        case toml::node_type::integer:
            entry.value = node.as_integer()->get();
            break;
        case toml::node_type::floating_point:
            entry.value = node.as_floating_point()->get();
            break;
        case toml::node_type::string:
            entry.value = node.as_string()->get();
            break;
        case toml::node_type::array:
            entry.value = list_of(*node.as_array(), source);
            break;
        case toml::node_type::table:
            entry.value = table_of(*node.as_table(), source);
            break;
        case toml::node_type::date:
            entry.value = TomlDate{"a date"};
            break;
        case toml::node_type::time:
            entry.value = TomlDate{"a time of day"};
            break;
        default:
            entry.value = TomlDate{"a date and time"};
            break;
    }
    return entry;
}

std::string quoted(std::string_view text) {
    std::string quoted_text = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            quoted_text += '\\';
            quoted_text += letter;
        } else if (letter == '\n') {
            quoted_text += "\\n";
        } else if (letter == '\t') {
            quoted_text += "\\t";
        } else if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) {
            quoted_text += fmt::format("\\u{:04X}", static_cast<unsigned>(letter));
        } else {
            quoted_text += letter;
        }
    }
    return quoted_text + '"';
}

void move_to(const Place& place, TomlEntry& entry) {
    entry.key_place = place;
    entry.place = place;
    if (auto* table = std::get_if<TomlTable>(&entry.value)) {
        for (TomlEntry& inner : table->entries) {
            move_to(place, inner);
        }
    }
    if (auto* list = std::get_if<TomlList>(&entry.value)) {
        for (TomlEntry& item : list->items) {
            move_to(place, item);
        }
    }
}

/// First line, from 1, that may contain a key with more parts than accepted; empty if none does.
/// toml++ would recurse once per part.
std::optional<int> line_of_long_key(std::string_view text) {
    int line = 1;
    std::size_t dots = 0;
    for (const char letter : text) {
        line += letter == '\n' ? 1 : 0;
        const bool is_of_key = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                               std::string_view("_-\"' \t").find(letter) != std::string_view::npos;
        dots = letter == '.' ? dots + 1 : is_of_key ? dots : 0;
        if (dots >= hw::kMostTomlKeyParts) {
            return line;
        }
    }
    return std::nullopt;
}

/// Text of the number that begins at the place.
std::string_view number_at(std::string_view text, const Place& place) {
    for (int line = 1; line < place.line; ++line) {
        text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    }
    int column = text.starts_with(kByteOrderMark) ? 0 : 1;
    std::size_t begin = 0;
    for (; begin < text.size() && column < place.column; ++begin) {
        const bool ends_character = begin + 1 == text.size() ||
                                    (static_cast<unsigned char>(text[begin + 1]) & 0xC0U) != 0x80U;
        column += ends_character ? 1 : 0;
    }
    text.remove_prefix(begin);
    return text.substr(0, text.find_first_not_of("+-0123456789._eE"));
}

/// True if toml++ has read a tiny nonzero number as 0.
bool is_cut_to_zero(double number, std::string_view written) {
    return number == 0.0 &&
           written.substr(0, written.find_first_of("eE")).find_first_of("123456789") !=
               std::string_view::npos;
}

/// First control character other than tabs and line ends, as an escape; empty if the text has none.
std::optional<std::string> control_character_in(std::string_view text) {
    constexpr unsigned kFirstPrintable = 0x20;
    constexpr unsigned kDelete = 0x7F;
    for (const char letter : text) {
        const unsigned code = static_cast<unsigned char>(letter);
        const bool is_blank = letter == '\t' || letter == '\n' || letter == '\r';
        if ((code < kFirstPrintable && !is_blank) || code == kDelete) {
            return fmt::format("U+{:04X}", code);
        }
    }
    return std::nullopt;
}

/// Throws UserFault for values in the tree of `text` that no parameter can use. `told_at`, unless
/// null, replaces the value's own place in the message.
void refuse_useless_values(const TomlEntry& entry, std::string_view text, const Place* told_at) {
    const Place& place = told_at != nullptr ? *told_at : entry.place;
    if (const auto* number = std::get_if<double>(&entry.value)) {
        if (const std::string_view written = number_at(text, entry.place);
            is_cut_to_zero(*number, written)) {
            throw UserFault(place, fmt::format("{} is nearer to 0 than any number", written),
                            "0, or numbers from 2.3e-308 on");
        }
    } else if (const std::string* string = entry.as_string()) {
        if (const auto character = control_character_in(*string)) {
            throw UserFault(place,
                            fmt::format("a text contains the control character {}", *character),
                            "texts without control characters");
        }
    } else if (const TomlList* list = entry.as_list()) {
        for (const TomlEntry& item : list->items) {
            refuse_useless_values(item, text, told_at);
        }
    } else if (const TomlTable* table = entry.as_table()) {
        for (const TomlEntry& inner : table->entries) {
            refuse_useless_values(inner, text, told_at);
        }
    }
}

/// The only entry of a text of one line; empty if the text has more entries or is not TOML.
std::optional<TomlEntry> parse_single_entry(const std::string& text) {
    if (line_of_long_key(text) || text.starts_with(kByteOrderMark) ||
        hw::limit_fault(text, hw::kOptionLimits, hw::InputSyntax::kToml)) {
        return std::nullopt;
    }
    try {
        const toml::table table = toml::parse(text);
        if (table.size() == 1 && text.find('\n') == std::string::npos) {
            return table_of(table, {}).entries.front();
        }
    } catch (const toml::parse_error&) {
        return std::nullopt;
    }
    return std::nullopt;
}

/// Rewrites toml++'s message "Cannot redefine existing integer 'hop_cycles'".
std::optional<hw::Fault> second_definition(std::string_view description) {
    constexpr std::string_view kBegin = "annot redefine existing ";
    const std::size_t begin = description.find(kBegin);
    const std::size_t name = description.find('\'', begin);
    const std::size_t end = description.rfind('\'');
    if (begin == std::string_view::npos || name == std::string_view::npos || end <= name) {
        return std::nullopt;
    }
    return hw::Fault{{},
                     fmt::format("not valid TOML: \"{}\" is given a second time",
                                 description.substr(name + 1, end - name - 1)),
                     "each key and each [table] once",
                     {}};
}

/// Rewrites "Error while parsing array: saw '<newline>'" as part of a one-line message.
std::string one_line(std::string_view description) {
    std::string line;
    for (const char letter : description) {
        line += letter == '\n' ? "\\n" : std::string(1, letter);
    }
    if (!line.empty()) {
        line.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(line.front())));
    }
    return line;
}

std::string value_text(bool truth) { return truth ? "true" : "false"; }
std::string value_text(std::int64_t number) { return fmt::format("{}", number); }
std::string value_text(double number) {
    std::string text = fmt::format("{}", number);
    const bool reads_as_whole = text.find_first_not_of("-0123456789") == std::string::npos;
    return reads_as_whole ? text + ".0" : text;
}
std::string value_text(const std::string& text) { return setup::quoted(text); }
std::string value_text(const std::vector<std::int64_t>& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}
std::string value_text(const TomlDate& date) { return date.kind; }

std::string value_text(const TomlList& list) {
    std::string text;
    for (const TomlEntry& item : list.items) {
        text += (text.empty() ? "" : ", ") + toml_text(item);
    }
    return "[" + text + "]";
}

std::string value_text(const TomlTable& table) {
    std::string text;
    for (const TomlEntry& entry : table.entries) {
        text += (text.empty() ? " " : ", ") + entry.key + " = " + toml_text(entry);
    }
    return "{" + text + (text.empty() ? "}" : " }");
}

std::string value_described(bool truth) { return "the boolean " + value_text(truth); }
std::string value_described(std::int64_t number) {
    return "the whole number " + value_text(number);
}
std::string value_described(double number) { return "the number " + value_text(number); }
std::string value_described(const std::string& text) { return "the string " + value_text(text); }
std::string value_described(const TomlDate& date) { return date.kind; }
std::string value_described(const TomlList& list) {
    return list.items.empty() ? "an empty list" : "the list " + value_text(list);
}
std::string value_described(const TomlTable& /*table*/) { return "a table"; }

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
    for (const TomlEntry& entry : entries) {
        if (entry.key == key) {
            return &entry;
        }
    }
    return nullptr;
}

std::optional<double> TomlEntry::as_number() const {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    return std::nullopt;
}

std::optional<hw::ParameterValue> TomlEntry::as_parameter_value() const {
    if (const auto* truth = std::get_if<bool>(&value)) {
        return *truth;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return *whole;
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    if (const std::string* text = as_string()) {
        return *text;
    }
    const TomlList* list = as_list();
    if (list == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const TomlEntry& item : list->items) {
        const auto* whole = std::get_if<std::int64_t>(&item.value);
        if (whole == nullptr) {
            return std::nullopt;
        }
        numbers.push_back(*whole);
    }
    return numbers;
}

TomlEntry parse_toml(std::string_view text, const std::string& source) {
    if (const auto fault = hw::limit_fault(text, hw::kTomlLimits, hw::InputSyntax::kToml)) {
        throw UserFault(Place{source}, *fault);
    }
    if (const auto line = line_of_long_key(text)) {
        throw UserFault(Place{source, *line, 1}, "a key has too many parts",
                        fmt::format("at most {}", hw::kMostTomlKeyParts));
    }
    try {
        TomlEntry tree = entry_of(toml::parse(text, std::string_view(source)), source);
        refuse_useless_values(tree, text, nullptr);
        return tree;
    } catch (const toml::parse_error& error) {
        if (const auto fault = second_definition(error.description())) {
            throw UserFault(place_of(error.source(), source), *fault);
        }
        throw UserFault(place_of(error.source(), source),
                        "not valid TOML: " + hw::shortened(one_line(error.description())));
    }
}

std::optional<TomlEntry> parse_toml_value(const std::string& text, const Place& place) {
    const std::string line = "value = " + text;
    std::optional<TomlEntry> value = parse_single_entry(line);
    // A # belongs to the value: with a comment, the list would not be closed.
    if (!value || !parse_single_entry("value = [" + text + "]")) {
        return std::nullopt;
    }
    refuse_useless_values(*value, line, &place);
    value->key.clear();
    move_to(place, *value);
    return value;
}

std::optional<std::vector<std::string>> parse_toml_key(const std::string& text) {
    const std::optional<TomlEntry> innermost_is_zero = parse_single_entry(text + " = 0");
    if (!innermost_is_zero) {
        return std::nullopt;
    }
    std::vector<std::string> keys;
    const TomlEntry* entry = &*innermost_is_zero;
    while (entry->as_table() != nullptr) {
        keys.push_back(entry->key);
        entry = entry->as_table()->entries.data();
    }
    keys.push_back(entry->key);
    return keys;
}

std::string described(const TomlEntry& entry) {
    return std::visit([](const auto& held) { return value_described(held); }, entry.value);
}

std::string toml_text(const hw::ParameterValue& value) {
    return std::visit([](const auto& held) { return value_text(held); }, value);
}

std::string toml_text(const TomlEntry& entry) {
    return std::visit([](const auto& held) { return value_text(held); }, entry.value);
}

void require_key(const TomlEntry& entry, const std::string& owner,
                 const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
        throw UserFault(entry.key_place, fmt::format("{} has no key \"{}\"", owner, entry.key),
                        quoted_list(known), nearest_name(entry.key, known));
    }
}

}  // namespace weir::experiments::setup
