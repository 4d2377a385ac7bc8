#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/kernel/machine_tree.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// What is known of a point, or a variant of the first one, before it is run.
struct PlannedRuns {
    std::string label;
    std::size_t seeds = 0;
    bool is_variant = false;
    /// Of its first seed, from a run that was ended after kSliceSeconds: whether it came to its own
    /// end, how far it was, and how long a whole run takes by that; nothing where it was not tried,
    /// or does not say how far it is.
    bool is_tried = false;
    bool has_ended = false;
    double share_done = 0.0;
    std::optional<double> run_seconds;
    std::int64_t peak_bytes = 0;  ///< of host memory, resident at most until then
    std::string failure;          ///< how it went wrong, if it did
};

/// An experiment that was checked and looked at, and not run.
struct DryRun {
    std::string file;
    std::string title;
    std::string kernel;
    std::vector<kinds::TreePart> machine;  ///< the first point's, elaborated
    std::vector<std::string> parameters;   ///< of `machine`, depth first
    std::int64_t nodes = 0;
    std::int64_t node_memory_bytes = 0;  ///< emulated; 0 where there are no nodes but their places
    std::int64_t machine_bytes = 0;      ///< resident host memory that elaborating it took
    std::vector<PlannedRuns> points;
    int workers = 1;

    [[nodiscard]] std::size_t runs() const;
    /// All runs, as many at a time as there are workers; nothing where no point's time is known. A
    /// point that was not tried counts as the one tried before it.
    [[nodiscard]] std::optional<double> estimated_seconds() const;
};

/// How long a point is tried, in seconds of the host's.
inline constexpr double kSliceSeconds = 1.0;
/// How many points are tried at most, spread evenly.
inline constexpr std::size_t kMostTried = 8;

/// Checks the file as run_experiment() does, elaborates the first point's machine and tries the
/// points, each in a process of its own and in a temporary folder that is gone afterwards. Throws
/// setup::UserFault; RunFailure when interrupted.
[[nodiscard]] DryRun dry_run(const RunOptions& options);

}  // namespace weir::experiments::running
