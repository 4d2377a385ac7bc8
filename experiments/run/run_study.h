#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/config/study.h"
#include "experiments/run/run_experiment.h"

namespace weir::experiments::run {

struct StudyResult {
    std::string file;
    std::string title;
    std::string description;
    std::string folder;
    double wall_seconds = 0.0;
    std::vector<ExperimentResult> parts;
};

/// Runs the parts one after the other, each into a folder of its own in the study's. All are
/// checked before the first starts. Throws as run_experiment().
StudyResult run_study(const config::Study& study, const RunOptions& options);

/// What `weir run --json` prints of a study; experiments/run/result.schema.json describes it.
nlohmann::ordered_json to_json(const StudyResult& result);

/// The reports of all parts on one page.
std::string report(const StudyResult& result);

}  // namespace weir::experiments::run
