#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::commands {

/// A file that comes with the program.
struct OwnFile {
    enum class Kind { kExperiment, kClaims, kHypotheses, kMachine, kSweep };
    Kind kind = Kind::kExperiment;
    std::string name;   ///< "experiments/logpc/sync-remap.toml"; of a machine what extends takes
    std::string title;  ///< of a machine what its first comment says first
};

/// The experiments, claims, machines and sweeps below `folder`/experiments, by name. What lies
/// deeper than a folder there is the part of a study beside it. Throws setup::UserFault for a file
/// that is not TOML.
[[nodiscard]] std::vector<OwnFile> own_files(const std::filesystem::path& folder);

/// For the option that names an experiment: one that is not there is taken from those that come
/// with the program (running::experiment_named).
[[nodiscard]] CLI::Validator from_own_experiments();

}  // namespace weir::experiments::commands
