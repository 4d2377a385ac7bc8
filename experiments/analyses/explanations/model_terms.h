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

/// LogGP: messages with bodies that one-way messages or a program send, or one of them alone. A
/// program's time is the processor time of a node, and L at the end of each of its phases.
[[nodiscard]] ExplainedTerms loggp_terms(Question& question);
/// The same without the single message, with LoGPC's contention: each blocking send waits C_n.
/// `channel_cycles_per_byte` is the time for which a byte holds a channel.
[[nodiscard]] ExplainedTerms logpc_body_terms(Question& question, double channel_cycles_per_byte);

}  // namespace weir::experiments::analyses
