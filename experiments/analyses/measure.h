#pragma once

#include <cstddef>
#include <optional>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// Settings of the run's own confidence interval of its main metric.
struct IntervalQuestion {
    std::size_t batches = 0;
    bool detects_warm_up = false;
};

/// Measures one run from its trace. A detected warm-up delays the window's begin, and the first
/// thread that ends a kernel's steady state ends it. From a trace without some tables
/// (trace::open_foreign_trace()), measures everything that does not need them. Throws
/// trace::TraceError.
records::Measured measure(TracedRun run, const KernelAnalysis& analysis,
                          const std::optional<IntervalQuestion>& interval = std::nullopt);

/// All metrics that measure() can return.
const records::MetricList& kernel_metrics();

/// Main metric of a program's page by its communication, unless the kernel's own analysis has
/// another.
[[nodiscard]] const records::Metric& leading_metric(firmware::Communication communication);

}  // namespace weir::experiments::analyses
