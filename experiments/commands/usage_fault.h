#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

/// What a command line says wrong, at the innermost command that it names: "trace sqlite". An
/// option or command that there is not is told before anything that is missing.
[[nodiscard]] setup::UserFault usage_fault(const CLI::App& program, const CLI::ParseError& error);

/// The names of a command's own commands.
[[nodiscard]] std::vector<std::string> commands_of(const CLI::App& command);
/// The one of that name, or null.
[[nodiscard]] const CLI::App* find_command(const CLI::App& command, const std::string& name);

/// Throws setup::UserFault where an option of the form KEY=VALUE is given without its "=", as in
/// --set network.hop_cycles 2. `words` are the command line's behind the program's name.
void require_equals_signs(const CLI::App& program, std::span<const std::string> words);

/// Throws setup::UserFault for an argument that is no UTF-8: results and pages that name it, and
/// commands that go on with it, could not.
void require_utf8(int argc, const char* const* argv);

/// Throws setup::UserFault where an option of the command is given without text: --out "".
void require_values(const CLI::App& command);

}  // namespace weir::experiments::commands
