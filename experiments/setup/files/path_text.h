#pragma once

#include <filesystem>
#include <string>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::setup {

/// A path as text of a TOML file, which holds UTF-8 only. Another path is written as the URI of its
/// absolute path (RFC 8089), with its other bytes as escapes (RFC 3986): "file:///home/%FF/a.dot".
[[nodiscard]] std::string path_as_text(const std::filesystem::path& path);

/// True for a text that begins as such a URI.
[[nodiscard]] bool is_file_uri(const std::string& text);

/// Path of such a URI. Throws UserFault at `place` for a host other than this one, and for a faulty
/// escape.
[[nodiscard]] std::string path_of_uri(const Place& place, const std::string& uri);

}  // namespace weir::experiments::setup
