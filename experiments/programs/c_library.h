#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// How newlib, the C library of Sparcle's programs, is built from the sources that Debian packs.
struct CLibraryRecipe {
    std::filesystem::path folder;   ///< libraries are kept there
    std::filesystem::path sources;  ///< of newlib-source: the folder with newlib-*.tar.xz
    std::filesystem::path script;   ///< build.sh, and its arguments
    std::string compiler;
    std::string compiler_version;  ///< another one's library is another
    std::vector<std::string> flags;
};

/// For this program: kept in the checkout's build folder, or, where Weir is installed, in the
/// user's cache folder. Throws setup::UserFault where there is neither.
[[nodiscard]] CLibraryRecipe c_library_recipe(const std::string& compiler,
                                              const std::string& compiler_version,
                                              std::vector<std::string> flags);

/// The folder with the library's include/ and lib/. Builds it where it is not there yet, one
/// process at a time; what is half built is never found. Throws running::RunFailure with what is
/// missing, or with where the log is.
[[nodiscard]] std::filesystem::path built_c_library(const CLibraryRecipe& recipe);

}  // namespace weir::experiments::programs
