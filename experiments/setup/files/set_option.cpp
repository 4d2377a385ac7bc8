#include "experiments/setup/files/set_option.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

namespace {

std::string_view without_outer_spaces(std::string_view text) {
    constexpr std::string_view kSpaces = " \t";
    const std::size_t first = text.find_first_not_of(kSpaces);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

TomlEntry parse_value(const std::string& text, const Place& place,
                      const std::string& accepted_form) {
    if (std::optional<TomlEntry> value = parse_toml_value(text, place)) {
        return *std::move(value);
    }
    const bool opens_something = text.find_first_of("[{\"'") == 0;
    if (opens_something) {
        throw UserFault(place, "the value opens a list, a table or a string and is not valid TOML",
                        accepted_form);
    }
    TomlEntry bare_word;
    bare_word.key_place = place;
    bare_word.place = place;
    bare_word.value = text;
    return bare_word;
}

}  // namespace

TomlEntry parse_set_option(const std::string& option, const std::string& accepted_form) {
    const Place place{"--set " + hw::shortened(option)};
    if (const auto fault = hw::limit_fault(option, hw::kOptionLimits, hw::InputSyntax::kToml)) {
        throw UserFault(place, *fault);
    }
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
        throw UserFault(place, "there is no \"=\"", accepted_form);
    }
    const std::string key_text(without_outer_spaces(std::string_view(option).substr(0, equals)));
    std::optional<std::vector<std::string>> keys = parse_toml_key(key_text);
    if (!keys) {
        throw UserFault(place, fmt::format("\"{}\" is not a key", key_text), accepted_form);
    }
    const std::string value_text(without_outer_spaces(std::string_view(option).substr(equals + 1)));
    TomlEntry tree = parse_value(value_text, place, accepted_form);
    for (; !keys->empty(); keys->pop_back()) {
        tree.key = keys->back();
        TomlEntry table;
        table.key_place = place;
        table.place = place;
        table.value = TomlTable{{std::move(tree)}};
        tree = std::move(table);
    }
    return tree;
}

}  // namespace weir::experiments::setup
