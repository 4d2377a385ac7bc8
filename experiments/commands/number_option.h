#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/commands/command_syntax.h"

namespace weir::experiments::commands {

/// Parses a whole number in TOML's decimal syntax; nullopt for any other text, and for a number
/// beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> whole_number_of(std::string_view text);

/// Check of a whole number from `least` to `most`. CLI11's own parser reads 010 as 8,
/// truncates numbers beyond 64 bits, and skips blanks. `described` adds the range to the option's
/// help.
[[nodiscard]] ValueCheck whole_number(std::int64_t least, std::int64_t most,
                                      bool described = false);

/// Parses a comma-separated list of whole numbers. Throws InvalidValue for an empty element
/// and for any other text.
[[nodiscard]] std::vector<std::int64_t> whole_numbers(const std::string& option,
                                                      const std::string& text, std::int64_t least,
                                                      std::int64_t most);

}  // namespace weir::experiments::commands
