#include "experiments/setup/text/utf8_text.h"

#include <algorithm>
#include <array>

namespace weir::experiments::setup {

namespace {

/// Leading bytes of characters of one length, and the range of the second byte. Further bytes are
/// 0x80 to 0xBF (RFC 3629, section 4).
struct Leading {
    unsigned char first;
    unsigned char last;
    std::size_t length;
    unsigned char least_second;
    unsigned char most_second;
};

constexpr std::array kLeading{
    Leading{0x00, 0x7F, 1, 0x00, 0x00}, Leading{0xC2, 0xDF, 2, 0x80, 0xBF},
    Leading{0xE0, 0xE0, 3, 0xA0, 0xBF}, Leading{0xE1, 0xEC, 3, 0x80, 0xBF},
    Leading{0xED, 0xED, 3, 0x80, 0x9F}, Leading{0xEE, 0xEF, 3, 0x80, 0xBF},
    Leading{0xF0, 0xF0, 4, 0x90, 0xBF}, Leading{0xF1, 0xF3, 4, 0x80, 0xBF},
    Leading{0xF4, 0xF4, 4, 0x80, 0x8F}};

bool is_between(char byte, unsigned char least, unsigned char most) {
    const auto value = static_cast<unsigned char>(byte);
    return value >= least && value <= most;
}

bool has_rest(std::string_view text, const Leading& leading) {
    if (text.size() < leading.length) {
        return false;
    }
    for (std::size_t i = 1; i < leading.length; ++i) {
        if (!is_between(text[i], i == 1 ? leading.least_second : 0x80,
                        i == 1 ? leading.most_second : 0xBF)) {
            return false;
        }
    }
    return true;
}

// True for the characters U+0000 to U+001F without line end and tab, and U+007F to U+009F.
bool is_control(std::string_view character) {
    const char first = character.front();
    return character.size() == 1
               ? (is_between(first, 0x00, 0x1F) && first != '\n' && first != '\t') || first == 0x7F
               : first == '\xC2' && is_between(character[1], 0x80, 0x9F);
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    for (const Leading& leading : kLeading) {
        if (!rest.empty() && is_between(rest.front(), leading.first, leading.last)) {
            return has_rest(rest, leading) ? leading.length : 0;
        }
    }
    return 0;
}

bool is_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

std::string with_utf8_escapes(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        result += length == 0 ? byte_escape(text[at]) : std::string(text.substr(at, length));
        at += length == 0 ? 1 : length;
    }
    return result;
}

std::string printable(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(1, utf8_length(text, at));
        const bool is_shown = utf8_length(text, at) != 0 && !is_control(text.substr(at, length));
        for (const char byte : text.substr(at, length)) {
            result += is_shown ? std::string(1, byte) : byte_escape(byte);
        }
        at += length;
    }
    return result;
}

std::string printable_line(std::string_view text) {
    std::string line;
    for (const char letter : printable(text)) {
        line += letter == '\n' ? "\\n" : std::string(1, letter);
    }
    return line;
}

std::string byte_escape(char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    return std::string("\\x") + kDigits[value / 16] + kDigits[value % 16];
}

}  // namespace weir::experiments::setup
