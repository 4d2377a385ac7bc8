#pragma once

#include <filesystem>
#include <fstream>

namespace weir::experiments::records {

/// A file that a run leaves; one that can't be written is a std::ios_base::failure.
[[nodiscard]] inline std::ofstream open_run_file(const std::filesystem::path& path) {
    std::ofstream file(path);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    return file;
}

}  // namespace weir::experiments::records
