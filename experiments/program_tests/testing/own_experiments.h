#pragma once

#include <filesystem>
#include <vector>

namespace weir::experiments {

/// Files of all experiments, sweeps, studies and machines that come with Weir.
inline std::vector<std::filesystem::path> own_experiments() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WEIR_EXPERIMENTS)) {
        const bool is_other = entry.path().filename() == "claims.toml" ||
                              entry.path().filename() == "pyproject.toml" ||
                              entry.path().parent_path().filename() == "hypotheses";
        if (entry.path().extension() == ".toml" && !is_other) {
            files.push_back(entry.path());
        }
    }
    return files;
}

}  // namespace weir::experiments
