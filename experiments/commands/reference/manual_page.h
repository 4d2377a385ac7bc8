#pragma once

#include <string>

#include "experiments/commands/reference/program_outline.h"

namespace weir::experiments::commands {

/// The manual page weir(1) in roff's man macros.
[[nodiscard]] std::string manual_page(const OutlineCommand& program);

}  // namespace weir::experiments::commands
