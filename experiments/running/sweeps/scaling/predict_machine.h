#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/machine_prediction.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/running/sweeps/scaling/machine_sizes.h"

namespace weir::experiments::running {

struct PredictionOptions {
    SweepOptions sweep;  ///< file, settings, database, workers; other members are unused
    std::string nodes;   ///< the larger machine: "1024" or "32x32"
    std::vector<std::string> small;  ///< small machines; empty: usual_small_machines()
    ConstantSize constant = ConstantSize::kAsWritten;
    std::string metric;  ///< empty: the kernel's main metric
    bool check = false;  ///< whether to run the larger machine
};

/// Machines of a prediction.
struct PredictionPlan {
    SweepPlan sweep;  ///< the small machines in the order of their size, then the larger one
    std::vector<MachineShape> machines;
    std::vector<std::vector<SizeValue>> sizes;
    std::vector<double> sizes_of_node;  ///< relative to that on the study's machine
    std::vector<records::MachinePrediction::LeftOut> left_out;
    std::string constant;
    bool has_usual_machines = false;  ///< the user named no small machines

    /// Notes a machine on which the experiment does not run, once for all shapes of its nodes.
    void leave_out(const MachineShape& machine, const std::string& reason);
};

/// Reads the file and checks all machines. A machine of the usual list on which the experiment does
/// not run is left out. A study with a single seed gets two more. Throws setup::UserFault for bad
/// input, and if there are fewer than statistics::kLeastScalingPoints small machines.
[[nodiscard]] PredictionPlan make_prediction_plan(const PredictionOptions& options);

/// Throws setup::UserFault if the plan has fewer small machines than a prediction needs.
void require_enough_machines(const PredictionPlan& plan, const PredictionOptions& options);

/// Path of the database with the runs.
[[nodiscard]] std::filesystem::path database_of(const PredictionOptions& options);

/// Runs that the database lacks: of the small machines, and with `check` of the larger one.
[[nodiscard]] std::vector<RunRequest> requests_of(const PredictionPlan& plan,
                                                  const PredictionOptions& options);

/// Runs what the database lacks, and predicts the metric of the larger machine. Throws
/// setup::UserFault for bad input, SweepError if the database can't be written, and RunFailure
/// after a signal or for a failed run.
[[nodiscard]] records::MachinePrediction predict_machine(const PredictionOptions& options);

}  // namespace weir::experiments::running
