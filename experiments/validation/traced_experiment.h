#pragma once

#include <span>
#include <string>

#include "experiments/records/result.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::validation {

/// What `weir validate FILE --trace TRACE...` says: the file's one point, each trace as a run of
/// it, as if its [recorded] named the trace. Throws setup::UserFault when the file has several
/// points or a trace does not fit it, and RunFailure when the system refuses something.
[[nodiscard]] records::ExperimentResult measure_traces(const running::RunOptions& options,
                                                       std::span<const std::string> traces);

}  // namespace weir::experiments::validation
