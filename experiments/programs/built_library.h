#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// Inputs of a build of a library for Sparcle's programs, from the sources of a Debian package.
struct LibraryRecipe {
    std::string name;               ///< "C library"
    std::string package;            ///< Debian package of the sources
    std::string archive;            ///< first letters of the name of the sources' archive
    std::filesystem::path sources;  ///< folder with the archive
    std::string processor_time;     ///< approximate time of a build
    std::filesystem::path folder;   ///< folder for the built libraries
    std::filesystem::path script;   ///< called with archive, folder, compiler and flags
    std::string compiler;
    std::string compiler_version;  ///< part of the library's key: each compiler has its own library
    std::vector<std::string> flags;  ///< part of the library's key
};

/// Folder with the library's include/ and lib/. Builds the library if it is missing, in one process
/// at a time; an incomplete build is never returned. Throws running::RunFailure with the missing
/// package or the path of the log.
[[nodiscard]] std::filesystem::path built_library(const LibraryRecipe& recipe);

}  // namespace weir::experiments::programs
