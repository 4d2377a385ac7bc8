#include "experiments/setup/files/permissions.h"

#include <algorithm>
#include <system_error>

namespace weir::experiments::setup {

namespace fs = std::filesystem;

bool Permissions::allows_library(const fs::path& file) const {
    return std::any_of(libraries.begin(), libraries.end(), [&file](const std::string& allowed) {
        return resolved(allowed) == resolved(file);
    });
}

bool Permissions::allows_reading(const fs::path& path) const {
    return std::any_of(folders.begin(), folders.end(),
                       [&path](const std::string& folder) { return is_inside(path, folder); });
}

fs::path resolved(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path), error);
    const fs::path found = error ? fs::absolute(path).lexically_normal() : whole;
    return found.has_filename() ? found : found.parent_path();
}

bool is_inside(const fs::path& path, const fs::path& folder) {
    const fs::path inner = resolved(path);
    const fs::path outer = resolved(folder.empty() ? "." : folder);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first ==
           outer.end();
}

}  // namespace weir::experiments::setup
