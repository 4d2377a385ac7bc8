#include "hw/refusal.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weir::hw {

namespace {

// Most bytes of a whole message, in case quotes within quotes defeat the other limits.
constexpr std::size_t kMostShown = 4000;
constexpr std::string_view kMore = "…";

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

constexpr std::size_t kMostContinuing = 3;  // most continuation bytes of a UTF-8 character

// Prefix of at most `size` bytes that splits no UTF-8 character; exactly `size` bytes if byte
// `size` belongs to no such character.
std::string_view begin_of(std::string_view text, std::size_t size) {
    std::size_t begin = size;
    while (begin > 0 && size - begin < kMostContinuing && continues_character(text[begin])) {
        --begin;
    }
    return text.substr(0, continues_character(text[begin]) ? size : begin);
}

// Number of bytes of the control character at `i`: 1, 2 for U+0080 and above, 0 for other
// characters.
std::size_t control_bytes(std::string_view text, std::size_t i) {
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7F;
    constexpr unsigned char kFirstOfTwo = 0xC2;
    constexpr unsigned char kFirstSecond = 0x80;
    constexpr unsigned char kLastSecond = 0x9F;
    const auto value = static_cast<unsigned char>(text[i]);
    if ((value < kFirstPrintable && text[i] != '\n') || value == kDelete) {
        return 1;
    }
    if (value != kFirstOfTwo || i + 1 == text.size()) {
        return 0;
    }
    const auto second = static_cast<unsigned char>(text[i + 1]);
    return second >= kFirstSecond && second <= kLastSecond ? 2 : 0;
}

std::string escaped(char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    return std::string("\\x") + kDigits[value / 16] + kDigits[value % 16];
}

// End of the quoted or bracketed text that begins at `begin`: behind the closing quote or bracket,
// or behind an earlier cut.
std::size_t end_of(std::string_view text, std::size_t begin) {
    if (text[begin] == '"') {
        const std::size_t quote = text.find('"', begin + 1);
        return quote == std::string_view::npos ? text.size() : quote + 1;
    }
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : 0;
        depth -= text[i] == ']' ? 1 : 0;
        if (depth == 0 || (text[i] == ']' && text.substr(0, i).ends_with(kMore))) {
            return i + 1;
        }
    }
    return text.size();
}

// Cuts a quoted or bracketed text, and closes it even where the text ends within it.
std::string cut(std::string_view quote) {
    const char end = quote.front() == '[' ? ']' : quote.front();
    return shortened(quote, kMostQuoted - 1) + end;
}

std::string with_short_quotes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const bool is_quote = text[i] == '"' || text[i] == '[';
        const std::size_t end =
            is_quote ? end_of(text, i) : i + std::max<std::size_t>(1, control_bytes(text, i));
        const std::string part = with_escapes(text.substr(i, end - i));
        result += part.size() > kMostQuoted ? cut(part) : part;
        i = end;
    }
    return result;
}

// Removes the middle of a long text. Its end stays, since this names the accepted values.
std::string shortened_as_a_whole(const std::string& text) {
    constexpr std::size_t kEnd = 500;
    std::size_t rest = text.size() - kEnd;
    for (std::size_t i = 0; i < kMostContinuing && continues_character(text[rest]); ++i) {
        ++rest;
    }
    return shortened(text, kMostShown - kEnd).append(text, rest);
}

// File or value that a place names: "a.dot" in "--set network.graph_file=a.dot", and in "a.dot".
std::string name_in_place(const std::string& key) {
    if (!key.starts_with("--")) {
        return key;
    }
    const std::size_t value = key.find(key.find('=') == std::string::npos ? ' ' : '=');
    return value == std::string::npos ? "" : key.substr(value + 1);
}

// The text without the name with which it begins, if the place before it names the same file.
std::string without_second_name(const std::string& key, const std::string& found) {
    const std::string name = name_in_place(key);
    const auto without = [&found](const std::string& begin, const std::string& instead) {
        return found.starts_with(begin) ? instead + found.substr(begin.size()) : std::string();
    };
    for (const auto& [begin, instead] : {std::pair<std::string, std::string>(name + ": ", ""),
                                         {"\"" + name + "\" is ", "it is "},
                                         {"the file \"" + name + "\" ", "the file "}}) {
        if (std::string rest = without(begin, instead); !name.empty() && !rest.empty()) {
            return rest;
        }
    }
    return found;
}

}  // namespace

std::string with_escapes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t controls = control_bytes(text, i);
        for (std::size_t k = 0; k < controls; ++k) {
            result += escaped(text[i + k]);
        }
        result += controls == 0 ? std::string(1, text[i]) : "";
        i += std::max<std::size_t>(1, controls);
    }
    return result;
}

std::string text_of(const Fault& fault) {
    return fault.found + (fault.accepted.empty() ? "" : "; accepted: " + fault.accepted) +
           (fault.nearest ? "; did you mean \"" + *fault.nearest + "\"?" : "");
}

Refusal::Refusal(Fault fault)
    : runtime_error(shown(
          (fault.key.empty() ? "" : fault.key + ": ") +
          text_of(
              {{}, without_second_name(fault.key, fault.found), fault.accepted, fault.nearest}))),
      fault_(std::move(fault)) {}
Refusal::Refusal(std::string found) : Refusal(Fault{{}, std::move(found), {}, {}}) {}
Refusal::Refusal(std::string key, std::string found, std::string accepted)
    : Refusal(Fault{std::move(key), std::move(found), std::move(accepted), {}}) {}

std::string shortened(std::string_view text, std::size_t most) {
    return text.size() <= most ? std::string(text)
                               : std::string(begin_of(text, most - kMore.size())).append(kMore);
}

std::string shown(std::string_view text) {
    std::string result = with_short_quotes(text);
    while (result.size() > kMostShown) {
        result = with_short_quotes(shortened_as_a_whole(result));
    }
    return result;
}

}  // namespace weir::hw
