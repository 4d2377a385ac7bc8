#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/logp_machine.h"

namespace weir::experiments::analyses {

/// Time for one message of each node, to any destinations. LoGPC adds contention to this time.
[[nodiscard]] double logp_one_way(Question& question);

/// Processor time of a message, for a node that sends as many as it receives without waiting. The
/// node also works work_cycles for each message.
[[nodiscard]] double logp_processor_interval(const models::LogpInputs& logp, double work_cycles,
                                             const MachineView& machine);

/// LogP's machine for schedules. Its single o is the mean of the overheads of sending and
/// receiving, which leaves L + 2o unchanged.
[[nodiscard]] models::LogpMachine logp_machine(const models::LogpInputs& logp,
                                               const MachineView& machine);

}  // namespace weir::experiments::analyses
