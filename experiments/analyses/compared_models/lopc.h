#pragma once

#include "experiments/analyses/question.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_general.h"

namespace weir::experiments::analyses {

/// LoPC's S_o is the whole handler, and its W what the thread itself does, its sends included
/// (LoPC Section 3.1.2 says that send cost can be added).
[[nodiscard]] models::LopcInputs lopc_inputs(Question& question);

/// The same of handlers that all take the mean time.
[[nodiscard]] models::LopcInputs constant_lopc_inputs(Question& question);

/// What contention adds to a round trip, by cause.
void say_contention(Question& question, const models::LopcContention& contention);

/// The same of the general model (Appendix A), with the V that says who asks whom how often.
[[nodiscard]] models::LopcGeneralInputs lopc_general_inputs(const models::LopcInputs& lopc,
                                                            models::LopcVisits visits);

}  // namespace weir::experiments::analyses
