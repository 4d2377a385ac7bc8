#include "experiments/setup/files/set_option.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/setup/text/utf8_text.h"
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

constexpr std::string_view kControlCharacters(
    "\0\1\2\3\4\5\6\a\b\v\f\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F"
    "\x7F",
    30);

// True if the text is a number beyond the range of its type.
bool is_number_that_does_not_fit(std::string_view text) {
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    std::string digits(text.substr(sign));
    std::erase(digits, '_');
    if (digits.empty() || std::isdigit(static_cast<unsigned char>(digits.front())) == 0) {
        return false;
    }
    double number = 0.0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, number);
    if (stopped != end) {
        return false;
    }
    constexpr double kBeyond64Bits = 9'223'372'036'854'775'808.0;
    const bool is_whole = digits.find_first_not_of("0123456789") == std::string::npos;
    return error == std::errc::result_out_of_range || (is_whole && number >= kBeyond64Bits);
}

// The option as the place of a message, in one line.
std::string shown_option(std::string_view option) {
    return "--set " + printable_line(hw::shortened(option));
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
    if (is_number_that_does_not_fit(text)) {
        throw UserFault(place, fmt::format("{} does not fit", hw::shortened(text)),
                        "whole numbers of 64 bits, others up to 1.7e308");
    }
    if (text.find_first_of(kControlCharacters) != std::string::npos) {
        throw UserFault(place, "the value has a control character",
                        "a value without control characters");
    }
    TomlEntry bare_word;
    bare_word.key_place = place;
    bare_word.place = place;
    bare_word.value = text;
    return bare_word;
}

}  // namespace

TomlEntry parse_set_option(const std::string& option, const std::string& accepted_form) {
    const Place place{shown_option(option)};
    if (const auto fault = hw::limit_fault(option, hw::kOptionLimits, hw::InputSyntax::kToml)) {
        throw UserFault(place, *fault);
    }
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
        throw UserFault(place, "\"=\" is missing", accepted_form);
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
