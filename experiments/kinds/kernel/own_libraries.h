#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weir::experiments::kinds {

/// Folder of the user's settings of Weir: in XDG_CONFIG_HOME, or else in ~/.config. Empty without
/// a home folder.
[[nodiscard]] std::filesystem::path settings_folder();

/// Notes in the user's settings that this user has made the library. The note has the library's
/// path and the SHA-256 digest of its content, as sha256sum prints them. Returns the reason if
/// nothing can be written.
[[nodiscard]] std::optional<std::string> note_own_library(const std::filesystem::path& library,
                                                          std::string_view content);

/// True if this user has made a library of this content at this path.
[[nodiscard]] bool is_own_library(const std::filesystem::path& library, std::string_view content);

}  // namespace weir::experiments::kinds
