#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// Inputs of a build of newlib, the C library of Sparcle's programs, from Debian's source package.
struct CLibraryRecipe {
    std::filesystem::path folder;   ///< folder for the built libraries
    std::filesystem::path sources;  ///< newlib-source's folder with newlib-*.tar.xz
    std::filesystem::path script;   ///< build.sh and its arguments
    std::string compiler;
    std::string compiler_version;  ///< part of the library's key: each compiler has its own library
    std::vector<std::string> flags;
};

/// The recipe of this program. Libraries are kept in the checkout's build folder, or, where Weir is
/// installed, in the user's cache folder. Throws setup::UserFault where neither folder is known.
[[nodiscard]] CLibraryRecipe c_library_recipe(const std::string& compiler,
                                              const std::string& compiler_version,
                                              std::vector<std::string> flags);

/// Folder with the library's include/ and lib/. Builds the library if it is missing, in one process
/// at a time; an incomplete build is never returned. Throws running::RunFailure with the missing
/// package or the path of the log.
[[nodiscard]] std::filesystem::path built_c_library(const CLibraryRecipe& recipe);

}  // namespace weir::experiments::programs
