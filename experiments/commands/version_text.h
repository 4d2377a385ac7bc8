#pragma once

#include <string>

namespace weir::experiments::commands {

/// What `weir --version` prints: the version alone in the first line, for scripts; which sources
/// and how they were compiled; the libraries, and the programs that Weir starts, with the versions
/// found now.
[[nodiscard]] std::string version_text();

}  // namespace weir::experiments::commands
