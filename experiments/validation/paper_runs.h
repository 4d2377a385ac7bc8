#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claim_values.h"

namespace weir::experiments::validation {

/// An experiment that a paper's page shows or its claims are compared with.
struct PaperRun {
    running::RunOptions options;
    std::string name;       ///< of its folder in the paper's
    bool is_shown = false;  ///< as a section; else only claims need it
    std::optional<records::ExperimentResult> result;
    std::string fault;  ///< why there is no result
    int status = running::kSuccess;
};

/// The experiments in the paper's folder that have a published value, are named after a figure, a
/// table or a section of the paper, or that a claim names; studies are left to their parts. Those
/// that claims name from elsewhere or with overrides follow, each once; the latter are not shown.
/// All are checked, none is run. Throws setup::UserFault.
[[nodiscard]] std::vector<PaperRun> paper_runs(const std::filesystem::path& paper_folder,
                                               const ClaimValues& claims,
                                               const running::RunOptions& options);

/// Runs each into its folder in `folder`, or takes what is there of the same program, file, presets
/// and points, unless `again`; says so on stderr. What fails leaves its fault; the others go on.
/// Throws RunFailure when it is interrupted, and setup::UserFault for a folder of another kind in
/// the way.
void run_all(std::span<PaperRun> runs, const std::filesystem::path& folder, bool again);

/// Of each of the claims' experiments its result, out of the runs.
[[nodiscard]] std::vector<std::optional<records::ExperimentResult>> results_for(
    const ClaimValues& claims, std::span<const PaperRun> runs);

}  // namespace weir::experiments::validation
