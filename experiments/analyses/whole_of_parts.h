#pragma once

#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Says that the parts of a run's round trip, all together, are so many times in a metric: 1 for
/// the metric that they sum to. Cycles of the metric beyond that are in none of the parts.
void add_whole(const records::Metric& metric, double times, records::Measured& measured);

/// Those metrics, each with its number of times, in the order in which they were added.
[[nodiscard]] records::Metrics wholes_of_parts(const records::Measured& measured);

/// A run's particulars but for these, which no point of several runs has.
[[nodiscard]] records::Particulars without_wholes(records::Particulars particulars);

}  // namespace weir::experiments::analyses
