#pragma once

#include <functional>
#include <string>

#include "experiments/running/processes/simulation_job.h"

namespace weir::experiments::running {

/// Runs a job that is to be precise (run.relative_precision) and can be made longer: as long as the
/// file says, and anew and longer, each time in a process of its own, until the 95 % interval of
/// its main metric is narrow enough or run.most_lengthening is reached. What the last of them left
/// is in the job's folder; its result says which lengths were tried. A run is as long as its seed
/// and its file make it, whatever the host. Returns the exit status; `message` says what went
/// wrong.
///
/// Each run is measured as a whole: that the next begins as the one before did costs less than
/// twice the time where lengths double, and asks nothing of the kernel.
int simulate_until_precise(const setup::ExperimentFile& file, const SimulationJob& job,
                           kinds::Setup& setup,
                           const std::function<bool(const records::Progress&)>& report,
                           std::string& message);

}  // namespace weir::experiments::running
