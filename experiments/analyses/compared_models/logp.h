#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/logp_machine.h"

namespace weir::experiments::analyses {

/// A message of each node, whoever it is for; what LoGPC adds its contention to.
[[nodiscard]] double logp_one_way(Question& question);

/// What a message takes of the processors of a node that sends as many as it gets and waits for
/// nothing, with work_cycles of its own for each.
[[nodiscard]] double logp_processor_interval(const models::LogpInputs& logp, double work_cycles,
                                             const MachineView& machine);

/// LogP's machine for schedules: its o is one for sending and receiving, here their mean, which
/// leaves L + 2o as it is.
[[nodiscard]] models::LogpMachine logp_machine(const models::LogpInputs& logp,
                                               const MachineView& machine);

}  // namespace weir::experiments::analyses
