#pragma once

#include "experiments/analyses/explanations/explained_terms.h"
#include "experiments/analyses/question.h"

namespace weir::experiments::analyses {

// Terms of each family of models. A model's file names its family. The functions throw
// models::ModelError as the models do.

/// LogP: o_s, L and o_r of each message, no waits.
[[nodiscard]] ExplainedTerms logp_terms(Question& question);
/// LoPC's queues, between all nodes or between clients and servers.
[[nodiscard]] ExplainedTerms lopc_terms(Question& question);

}  // namespace weir::experiments::analyses
