#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/setup/files/correction.h"

namespace weir::experiments::setup {

/// Experiments that belong together, and are run one after the other:
///
///     title = "The figures of a section"
///     description = "..."
///     parts = ["figure3.toml", "figure4.toml"]    # beside this file
struct Study {
    std::string title;
    std::string description;
    std::vector<std::filesystem::path> parts;  ///< existing files, at least one, none twice
};

/// Reads the file, corrected, as a study. Returns nullopt for a file without `parts`, which is an
/// experiment. Throws UserFault for a file that is not TOML, and for keys other than title,
/// description and parts. Also throws it for a part that is absent, named twice or a study itself.
[[nodiscard]] std::optional<Study> read_study(const std::filesystem::path& file,
                                              std::span<const Correction> corrections = {});

}  // namespace weir::experiments::setup
