#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// What a terminal shows in a line.
constexpr std::size_t kPageColumns = 80;

/// Columns on a terminal: bytes that start a character, in UTF-8.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// The text in lines of at most `columns` columns, `first_indent` before the first and `indent`
/// before the others, each with a newline. A word that is longer than a line keeps a line of its
/// own.
[[nodiscard]] std::string wrapped(std::string_view text, const std::string& first_indent,
                                  const std::string& indent, std::size_t columns = kPageColumns);

}  // namespace weir::experiments::setup
