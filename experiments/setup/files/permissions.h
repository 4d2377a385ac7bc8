#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::setup {

inline constexpr const char* kAllowLibrary = "--allow-library";
inline constexpr const char* kAllowFolder = "--allow-folder";

/// Access that the user's command line gives to an experiment file, beyond the file's own folder.
/// An experiment file cannot give itself access.
struct Permissions {
    std::vector<std::string> libraries;  ///< kAllowLibrary: libraries whose code may run
    std::vector<std::string> folders;    ///< kAllowFolder: folders that programs may read
    /// False if some --set options come from a file, such as a file of claims. The user's own give
    /// access to the folders that they name.
    bool has_only_users_settings = true;

    [[nodiscard]] bool allows_library(const std::filesystem::path& file) const;
    [[nodiscard]] bool allows_reading(const std::filesystem::path& path) const;
};

/// Path of an existing file or folder, absolute and without symbolic links. Parts that do not exist
/// stay as they are.
[[nodiscard]] std::filesystem::path resolved(const std::filesystem::path& path);

/// True if the path is the folder, or in it. Symbolic links of both are resolved.
[[nodiscard]] bool is_inside(const std::filesystem::path& path,
                             const std::filesystem::path& folder);

}  // namespace weir::experiments::setup
