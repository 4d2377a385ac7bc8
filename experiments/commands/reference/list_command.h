#pragma once

#include <string>
#include <vector>

namespace weir::experiments::commands {

/// The kinds of things that there are lists of.
[[nodiscard]] std::vector<std::string> listed_kinds();

}  // namespace weir::experiments::commands
