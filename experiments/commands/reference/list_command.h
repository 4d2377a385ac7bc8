#pragma once

#include <string>
#include <vector>

namespace weir::experiments::commands {

/// Kinds of lists that `weir list` has: "experiments", "kernels", ...
[[nodiscard]] std::vector<std::string> listed_kinds();

}  // namespace weir::experiments::commands
