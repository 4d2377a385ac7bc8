#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/logp_machine.h"

namespace weir::experiments::analyses {

/// A message of each node, whoever it is for; what LoGPC adds its contention to.
[[nodiscard]] double logp_one_way(Question& question);

/// LogP's machine for schedules: its o is one for sending and receiving, here their mean, which
/// leaves L + 2o as it is.
[[nodiscard]] models::LogpMachine logp_machine(const models::LogpInputs& logp,
                                               const MachineView& machine);

}  // namespace weir::experiments::analyses
