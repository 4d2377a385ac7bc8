#pragma once

#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Records that the metric contains the parts of a run's round trip: their sum, multiplied by
/// `times`. `times` is 1 for the metric to which the parts sum. The metric's other cycles are in
/// none of the parts.
void add_whole(const records::Metric& metric, double times, records::Measured& measured);

/// The recorded metrics, each with its `times`, in the order in which they were added.
[[nodiscard]] records::Metrics wholes_of_parts(const records::Measured& measured);

/// Particulars without the records of add_whole(), which points of several runs do not have.
[[nodiscard]] records::Particulars without_wholes(records::Particulars particulars);

}  // namespace weir::experiments::analyses
