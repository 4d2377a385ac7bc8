#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/kernel/machine_tree.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// Estimate for a point, or for a variant of the first point, before it is run.
struct PlannedRuns {
    std::string label;
    std::size_t seeds = 0;
    bool is_variant = false;
    /// Trial of the first seed, which ends after kSliceSeconds. Results: whether the point was
    /// tried and reached its end, the share done, and the estimated time of a whole run. The time
    /// is empty without a trial, or if the run reports no share.
    bool is_tried = false;
    bool has_ended = false;
    double share_done = 0.0;
    std::optional<double> run_seconds;
    std::int64_t peak_bytes = 0;  ///< peak resident host memory during the trial
    std::string failure;          ///< fault of the trial; empty if there was none
};

/// Result of a dry run: the checked experiment with its estimates.
struct DryRun {
    std::string file;
    std::string title;
    std::string kernel;
    std::vector<kinds::TreePart> machine;  ///< elaborated machine of the first point
    std::vector<std::string> parameters;   ///< parameters of the machine's parts, depth first
    std::int64_t nodes = 0;
    std::int64_t node_memory_bytes = 0;  ///< emulated memory; 0 for machines without nodes
    std::int64_t machine_bytes = 0;      ///< resident host memory of the elaborated machine
    std::vector<PlannedRuns> points;
    std::string
        wants;  ///< accesses that the runs ask for and that are not permitted, as a sentence
    int workers = 1;

    [[nodiscard]] std::size_t runs() const;
    /// Time of all runs with `workers` at a time. Returns nullopt if no point's time is known. A
    /// point that was not tried counts like the tried one before it.
    [[nodiscard]] std::optional<double> estimated_seconds() const;
};

/// Host time for the trial of a point.
inline constexpr double kSliceSeconds = 1.0;
/// Largest number of points that are tried, spread evenly.
inline constexpr std::size_t kMostTried = 8;

/// Checks the file as run_experiment() does, elaborates the first point's machine and tries the
/// points. Each trial has its own process and a temporary folder. Points with code of a library, or
/// that ask for access that is not permitted, are not tried. Throws setup::UserFault, or
/// RunFailure if interrupted.
[[nodiscard]] DryRun dry_run(const RunOptions& options);

/// For a terminal of 80 columns: an experiment, or the parts of a study and their time together.
[[nodiscard]] std::string dry_run_page(std::span<const DryRun> parts);
[[nodiscard]] nlohmann::ordered_json to_json(const DryRun& dry_run);

}  // namespace weir::experiments::running
