#pragma once

#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Records that the parts of a run's round trip are in the metric. Their sum is multiplied by
/// `times`, 1 for the metric to which they sum. Other cycles of the metric are in none of the
/// parts.
void add_whole(const records::Metric& metric, double times, records::Measured& measured);

/// The recorded metrics, each with its `times`, in the order in which they were added.
[[nodiscard]] records::Metrics wholes_of_parts(const records::Measured& measured);

/// Particulars without these records, which points of several runs do not have.
[[nodiscard]] records::Particulars without_wholes(records::Particulars particulars);

}  // namespace weir::experiments::analyses
