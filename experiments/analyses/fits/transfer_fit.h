#pragma once

#include <span>
#include <string_view>

#include "experiments/analyses/fits/timed_transfers.h"
#include "experiments/models/model_error.h"
#include "experiments/records/model_fit.h"

namespace weir::experiments::analyses {

/// Model of transfers within a node's memory, the only one that is fitted to their times.
inline constexpr std::string_view kMemoryLogp = "memory_logp";

/// Fits memory logP to transfers on one machine (Cameron and Sun 2003, Section 7). o is the mean
/// time of a byte of contiguous transfers over their sizes, for each size of elements. l is the
/// time of a byte of a strided transfer less o, for each kind, stride and size. The interval of o
/// includes its differences between sizes. Throws models::ModelError if no contiguous transfer
/// tells o.
[[nodiscard]] records::ModelFit fit_memory_logp(std::span<const TimedTransfer> transfers);

}  // namespace weir::experiments::analyses
