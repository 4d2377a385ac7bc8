#pragma once

#include <string>

namespace weir::experiments::commands {

/// Output of `weir --version`:
/// - the version alone in the first line, for scripts;
/// - the sources, the build type and the compiler;
/// - the libraries, and the programs that Weir starts, with the versions found now.
[[nodiscard]] std::string version_text();

}  // namespace weir::experiments::commands
