#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_general.h"

namespace weir::experiments::analyses {

/// LoPC's inputs: S_o is the whole handler; W is the thread's own time, including its sends. LoPC
/// Section 3.1.2 says that a cost of sending can be added.
[[nodiscard]] models::LopcInputs lopc_inputs(Question& question);

/// LoPC's inputs with constant handlers of the mean time.
[[nodiscard]] models::LopcInputs constant_lopc_inputs(Question& question);

/// Adds the contention of a round trip, by cause, to the question's details.
void say_contention(Question& question, const models::LopcContention& contention);

/// Inputs of the general model (Appendix A) with the matrix V of visits.
[[nodiscard]] models::LopcGeneralInputs lopc_general_inputs(const models::LopcInputs& lopc,
                                                            models::LopcVisits visits);

}  // namespace weir::experiments::analyses
