#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::experiments::setup {

/// Width of a terminal.
constexpr std::size_t kPageColumns = 80;

/// Width on a terminal in columns: the number of UTF-8 characters.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// Wraps the text into lines of at most `columns` columns, each with a newline. Puts first_indent
/// before the first line, and indent before the others. A longer word has a line of its own.
[[nodiscard]] std::string wrapped(std::string_view text, const std::string& first_indent,
                                  const std::string& indent, std::size_t columns = kPageColumns);

}  // namespace weir::experiments::setup
