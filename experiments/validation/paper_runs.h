#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claim_values.h"

namespace weir::experiments::validation {

/// An experiment that a paper's page shows, or that its claims need.
struct PaperRun {
    running::RunOptions options;
    std::string name;       ///< name of its folder inside the paper's
    bool is_shown = false;  ///< true if it has a section on the page
    std::optional<records::ExperimentResult> result;
    std::string fault;  ///< reason why the result is missing
    int status = running::kSuccess;
};

/// Experiments of a paper, checked but not run. Throws setup::UserFault for the first faulty one.
/// 1. Experiments in the paper's folder that have a published value or that a claim names. Also
///    experiments whose files are named after a figure, a table or a section. A study's parts are
///    listed in its place.
/// 2. Experiments that claims name from other folders or with overrides, each once. Experiments
///    with overrides are not shown on the page.
[[nodiscard]] std::vector<PaperRun> paper_runs(const std::filesystem::path& paper_folder,
                                               const ClaimValues& claims,
                                               const running::RunOptions& options);

/// Runs each experiment into its folder in `folder`. Unless `again`, an earlier result of the same
/// program, file, presets and points is used, with a line on stderr. A failed run keeps its fault,
/// and the others continue. Throws RunFailure if interrupted, and setup::UserFault if the folder
/// holds another run.
void run_all(std::span<PaperRun> runs, const std::filesystem::path& folder, bool again);

/// Results of the runs for each of the claims' experiments.
[[nodiscard]] std::vector<std::optional<records::ExperimentResult>> results_for(
    const ClaimValues& claims, std::span<const PaperRun> runs);

}  // namespace weir::experiments::validation
