#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// Result in a run's folder: of an experiment, or of a study with all its experiments.
struct StoredResult {
    std::string weir_version;  ///< version of Weir that made the run
    std::string title;
    std::string description;
    std::string file;  ///< file of the experiment or the study, as the user named it
    bool is_study = false;
    double wall_seconds = 0.0;
    /// Results of one experiment, or of all experiments of a study. Their folders are the current
    /// ones, even if they were moved after the run.
    std::vector<ExperimentResult> experiments;
};

/// Reads result.json of a run's folder (`weir list --schema`); numbers are exact to the bit. Throws
/// setup::UserFault if result.json is missing or is not a result.
[[nodiscard]] StoredResult read_stored_result(const std::filesystem::path& folder);

/// Folders of a point's runs, one per seed, in the folder of its experiment.
[[nodiscard]] std::vector<std::filesystem::path> folders_of_point(const ExperimentResult& result,
                                                                  const PointResult& point);

/// Output of the program of the run in a folder; empty if the folder no longer exists or the
/// program printed nothing.
[[nodiscard]] std::string printed_in(const std::filesystem::path& folder);
/// Last lines of a text, at most `most`, which is at least 1.
[[nodiscard]] std::string last_lines(const std::string& text, std::size_t most);

}  // namespace weir::experiments::records
