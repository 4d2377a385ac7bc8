#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace weir::experiments::commands {

/// Fault of a command line, with the innermost command that it names: "trace sqlite". Unknown
/// options and commands are reported before missing ones.
[[nodiscard]] setup::UserFault usage_fault(const CLI::App& program, const CLI::ParseError& error);

/// Names of a command's subcommands.
[[nodiscard]] std::vector<std::string> commands_of(const CLI::App& command);
/// Subcommand of that name, or null.
[[nodiscard]] const CLI::App* find_command(const CLI::App& command, const std::string& name);

/// Throws setup::UserFault if an option of the form KEY=VALUE has no "=", as in --set
/// network.hop_cycles 2. `words` is the command line without the program's name.
void require_equals_signs(const CLI::App& program, std::span<const std::string> words);

/// Throws setup::UserFault if an option of the command has an empty value: --out "".
void require_values(const CLI::App& command);

}  // namespace weir::experiments::commands
