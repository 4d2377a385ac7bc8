#pragma once

#include <CLI/CLI.hpp>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

/// What a command line says wrong, at the innermost command that it names: "trace sqlite". An
/// option or command that there is not is told before anything that is missing.
[[nodiscard]] setup::UserFault usage_fault(const CLI::App& program, const CLI::ParseError& error);

/// Throws setup::UserFault where an option of the command is given without text: --out "".
void require_values(const CLI::App& command);

}  // namespace weir::experiments::commands
