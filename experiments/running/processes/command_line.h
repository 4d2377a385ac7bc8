#pragma once

#include <span>
#include <string>
#include <vector>

namespace weir::experiments::running {

/// Command line: program name and arguments.
using CommandLine = std::vector<std::string>;

/// The options, each after a word "--set".
[[nodiscard]] CommandLine settings_words(std::span<const std::string> set_options);
/// Command line of another weir command for the same experiment: weir, `command`, `file`, `others`,
/// and the settings.
[[nodiscard]] CommandLine weir_command(const std::string& command, const std::string& file,
                                       const CommandLine& others,
                                       std::span<const std::string> set_options);

/// Word for a shell, in quotes if necessary.
[[nodiscard]] std::string shell_word(const std::string& word);
[[nodiscard]] std::string shell_text(const CommandLine& command);

}  // namespace weir::experiments::running
