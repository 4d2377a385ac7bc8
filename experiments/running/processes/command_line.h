#pragma once

#include <span>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// A call of a program: its name and arguments.
using CommandLine = std::vector<std::string>;

/// Each with --set before it.
[[nodiscard]] CommandLine settings_words(std::span<const std::string> set_options);
/// What does something more to an experiment that somebody has typed: weir, the command, the file,
/// other words, and the settings that it had.
[[nodiscard]] CommandLine weir_command(const std::string& command, const std::string& file,
                                       const CommandLine& others,
                                       std::span<const std::string> set_options);

/// A word as a shell takes it: in quotes where it needs some.
[[nodiscard]] std::string shell_word(const std::string& word);
[[nodiscard]] std::string shell_text(const CommandLine& command);

}  // namespace weir::experiments::running
