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
    std::vector<std::filesystem::path> parts;  ///< each there; at least one, none twice
};

/// The study that the file, corrected, is; nothing for a file without `parts`, which is an
/// experiment's own. Throws UserFault for what is no TOML file, for keys other than the three, and
/// for a part that is not there, comes twice or is a study itself.
[[nodiscard]] std::optional<Study> read_study(const std::filesystem::path& file,
                                              std::span<const Correction> corrections = {});

}  // namespace weir::experiments::setup
