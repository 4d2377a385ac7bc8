#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/programs/built_library.h"
#include "experiments/programs/cross_compiler.h"

namespace weir::experiments::programs {

/// Recipe of libstdc++, the C++ library of Sparcle's programs, and of libgcc's unwinder. `flags`:
/// those of the machine, and of the C library, whose headers they include. The sources are of the
/// compiler's version. The library is kept as the C library is (c_library.h).
[[nodiscard]] LibraryRecipe cxx_library_recipe(const CrossCompiler& compiler,
                                               std::vector<std::string> flags);

/// Compiler flags that find the library's headers, for the folder of a built library.
[[nodiscard]] std::vector<std::string> cxx_header_flags(const std::filesystem::path& library);

/// The library's archives, to be linked before the C library's.
[[nodiscard]] std::vector<std::string> cxx_archives(const std::filesystem::path& library);

}  // namespace weir::experiments::programs
