#pragma once

#include <string>
#include <vector>

#include "experiments/programs/built_library.h"

namespace weir::experiments::programs {

/// Recipe of newlib, the C library of Sparcle's programs. Libraries are kept in the checkout's
/// build folder, or, where Weir is installed, in the user's cache folder. Throws setup::UserFault
/// where neither folder is known.
[[nodiscard]] LibraryRecipe c_library_recipe(const std::string& compiler,
                                             const std::string& compiler_version,
                                             std::vector<std::string> flags);

}  // namespace weir::experiments::programs
