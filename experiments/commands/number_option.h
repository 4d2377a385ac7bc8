#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::commands {

/// The whole number that the text is, as TOML writes one in decimal digits; nothing for any other
/// text, and for a number that does not fit 64 bits.
[[nodiscard]] std::optional<std::int64_t> whole_number_of(std::string_view text);

/// Accepts a whole number from `least` to `most`. The library alone reads 010 as 8, cuts what does
/// not fit 64 bits, and skips blanks. `described` has the range in the option's help.
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::int64_t most,
                                          bool described = false);

/// Whole numbers with commas between. Throws CLI::ValidationError, at the option's name, for an
/// empty one and for any other text.
[[nodiscard]] std::vector<std::int64_t> whole_numbers(const std::string& option,
                                                      const std::string& text, std::int64_t least,
                                                      std::int64_t most);

}  // namespace weir::experiments::commands
