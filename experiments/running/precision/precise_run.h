#pragma once

#include <functional>
#include <string>

#include "experiments/running/processes/simulation_job.h"

namespace weir::experiments::running {

/// Runs a job with run.relative_precision whose run can be lengthened. The first run has the file's
/// length. Longer runs follow, each in a process of its own, until the 95 % interval of the main
/// metric is narrow enough. No run is longer than run.most_lengthening allows. The job's folder has
/// the files of the last run; its result lists the lengths. Lengths depend only on seed and file,
/// not on the host. Returns the exit status; `message` is the fault.
///
/// Each run starts at cycle 0. If lengths double, all runs together take less than twice the time
/// of the last run. The kernel needs no support for longer runs.
int simulate_until_precise(const setup::ExperimentFile& file, const SimulationJob& job,
                           kinds::Setup& setup,
                           const std::function<bool(const records::Progress&)>& report,
                           std::string& message);

}  // namespace weir::experiments::running
