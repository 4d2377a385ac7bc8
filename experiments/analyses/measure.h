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

/// Measures one run from its trace. A detected warm-up delays the begin of the measured window; the
/// window ends when the first thread ends the kernel's steady state. From a trace without some
/// tables (trace::open_foreign_trace()), measures everything that does not need them. Throws
/// trace::TraceError.
records::Measured measure(TracedRun run, const KernelAnalysis& analysis,
                          const std::optional<IntervalQuestion>& interval = std::nullopt);

/// All metrics that measure() can return.
const records::MetricList& kernel_metrics();

/// Main metric of the page of a program with this communication; a kernel's own analysis may have
/// another one.
[[nodiscard]] const records::Metric& leading_metric(firmware::Communication communication);

}  // namespace weir::experiments::analyses
