#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/report/document.h"
#include "experiments/run/stored_result.h"

namespace weir::experiments::report {

/// What a run's folder, or a folder of such folders, holds: tables, figures, validation and
/// configuration of every experiment. Throws config::UserFault where there is no run.
[[nodiscard]] Document run_document(const std::filesystem::path& folder);

/// The sections of one experiment. Networks and queues are read from its folder as far as it is
/// still there.
[[nodiscard]] std::vector<Section> experiment_sections(const run::ExperimentResult& result);

/// An experiment among others: the same below its title and description.
[[nodiscard]] Section experiment_section(const run::ExperimentResult& result);

}  // namespace weir::experiments::report
