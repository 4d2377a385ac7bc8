#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// What a run's folder says of itself: an experiment's result, or a study's with its parts.
struct StoredResult {
    std::string weir_version;  ///< that ran it
    std::string title;
    std::string description;
    std::string file;  ///< of the experiment or the study, as it was named
    bool is_study = false;
    double wall_seconds = 0.0;
    /// A single one unless it is a study's. Their folders are where they are now, wherever they
    /// were when they were run.
    std::vector<ExperimentResult> experiments;
};

/// result.json of a run's folder (`weir list --schema`): the numbers are those that were written,
/// to the bit. Throws setup::UserFault when there is none, or not such a one.
[[nodiscard]] StoredResult read_stored_result(const std::filesystem::path& folder);

/// Where a point's runs are, one a seed, in the folder of its experiment.
[[nodiscard]] std::vector<std::filesystem::path> folders_of_point(const ExperimentResult& result,
                                                                  const PointResult& point);

}  // namespace weir::experiments::records
