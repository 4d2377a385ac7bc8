#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/commands/command_syntax.h"

namespace weir::experiments::commands {

/// An experiment file that is installed with the program.
struct InstalledFile {
    enum class Kind { kExperiment, kClaims, kHypotheses, kMachine, kSweep };
    Kind kind = Kind::kExperiment;
    /// Path, such as "experiments/logpc/sync-remap.toml"; for a machine, its name as `extends`
    /// takes it.
    std::string name;
    /// Value of the key `title`; for a machine, the first sentence of its file's first comment.
    std::string title;
};

/// Experiments, claims, machines and sweeps in the subfolders of `folder`/experiments, sorted by
/// path. Files in deeper folders are parts of studies and left out. Throws setup::UserFault for a
/// file that is not TOML.
[[nodiscard]] std::vector<InstalledFile> installed_files(const std::filesystem::path& folder);

/// Check of an experiment's file name: a file that does not exist is taken from the files
/// installed with the program (running::experiment_named).
[[nodiscard]] ValueCheck from_own_experiments();

}  // namespace weir::experiments::commands
