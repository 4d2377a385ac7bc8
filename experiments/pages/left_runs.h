#pragma once

#include <filesystem>

#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

/// Results in a folder that `weir run` has left:
/// - a run's folder with its result.json, which also says of runs that ended badly;
/// - the folder of a run whose process was killed: the runs in it that have ended;
/// - the folder of one of its runs, point-NN-seed-M;
/// - a folder of run folders: all of them.
/// Throws setup::UserFault for any other folder, and where no run has begun.
[[nodiscard]] records::StoredResult left_runs(const std::filesystem::path& folder);

}  // namespace weir::experiments::pages
