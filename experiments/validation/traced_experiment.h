#pragma once

#include <span>
#include <string>

#include "experiments/records/result.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::validation {

/// Result of `weir validate FILE --trace TRACE...`: the file's only point, with each trace as one
/// run of it, like a file with [recorded]. Throws setup::UserFault if the file has several points
/// or a trace does not fit it, and RunFailure if the system refuses something.
[[nodiscard]] records::ExperimentResult measure_traces(const running::RunOptions& options,
                                                       std::span<const std::string> traces);

}  // namespace weir::experiments::validation
