#pragma once

#include <cstddef>
#include <optional>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/records/measured.h"

namespace weir::experiments::analyses {

/// How the run itself is to say how sure its leading metric is.
struct IntervalQuestion {
    std::size_t batches = 0;
    bool detects_warm_up = false;
};

/// What one run's trace says. A warm-up that is found moves
/// the window's begin, and a kernel's steady state ends it with its first thread. Of a trace that
/// lacks tables (trace::open_foreign_trace()): whatever needs none of them. Throws
/// trace::TraceError.
records::Measured measure(TracedRun run, const KernelAnalysis& analysis,
                          const std::optional<IntervalQuestion>& interval = std::nullopt);

/// Every metric that measure() can give.
const records::MetricList& kernel_metrics();

/// What a page leads with where the kernel's own analysis says nothing else: what a program that
/// communicates so is measured by first of all.
[[nodiscard]] const records::Metric& leading_metric(firmware::Communication communication);

}  // namespace weir::experiments::analyses
