#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// Bytes of the UTF-8 character that begins at `at`; 0 where none does. Neither an overlong form
/// nor half of a surrogate pair is a character (RFC 3629).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

/// Whether the text is a sequence of UTF-8 characters.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with each byte that is part of no UTF-8 character as an escape: "\xfe".
[[nodiscard]] std::string with_utf8_escapes(std::string_view text);

/// A byte as an escape: "\xfe".
[[nodiscard]] std::string byte_escape(char byte);

}  // namespace weir::experiments::setup
