#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// Length in bytes of the UTF-8 character that begins at `at`; 0 if none does. Overlong forms and
/// surrogates are no characters (RFC 3629).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

/// True if the text is valid UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with each byte outside a valid UTF-8 character as an escape: "\xfe".
[[nodiscard]] std::string with_utf8_escapes(std::string_view text);

/// The text as a terminal or a page can show it. Control characters other than line end and tab,
/// and bytes outside UTF-8 characters, become escapes: "\x1b".
[[nodiscard]] std::string printable(std::string_view text);

/// The text as printable() in one line: line ends are escapes, too.
[[nodiscard]] std::string printable_line(std::string_view text);

/// A byte as an escape: "\xfe".
[[nodiscard]] std::string byte_escape(char byte);

}  // namespace weir::experiments::setup
