#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/run/metrics.h"
#include "experiments/run/steady_interval.h"
#include "experiments/trace/cycle_window.h"
#include "experiments/trace/trace_database.h"
#include "firmware/kernel.h"

namespace weir::experiments::run {

/// What one run's trace says, all of it by SQL (experiments/trace).
struct Measured {
    Metrics metrics;
    /// Where a request's round trip went; mean cycles, exclusive, summing to the whole.
    Metrics round_trip;
    /// Where one long message was measured alone: the bytes in its receiver's input queue by cycle
    /// since the first one arrived, until the DMA engine has caught up with the network.
    std::vector<std::pair<std::int64_t, std::int64_t>> input_queue;
    /// What the models are asked with: parameters as the trace shows them.
    Metrics model_inputs;
    /// Of the main metric, where it was asked for.
    std::optional<SteadyInterval> interval;
};

/// How the run itself is to say how sure its main metric is.
struct IntervalQuestion {
    std::size_t batches = 0;
    bool detects_warm_up = false;
};

/// What the measurement needs to know besides the trace.
struct MeasurementContext {
    std::int32_t node_count = 0;
    /// Messages handled from the window's begin on and until the first thread ended (for kernels
    /// that are in a steady state) are measured.
    trace::CycleWindow window;
    firmware::Communication communication = firmware::Communication::kRequestReply;
    bool handlers_wait_for_bodies = true;  ///< blocking receives
    double processor_mhz = 0.0;            ///< what cycles are of a second
    Metrics kernel_facts;
    /// Of kernels that are in a steady state. A warm-up that is found moves the window's begin.
    std::optional<IntervalQuestion> interval;
};

/// Of a trace that lacks tables (trace::open_foreign_trace()): whatever needs none of them. Throws
/// trace::TraceError.
Measured measure(const trace::TraceDatabase& database, const MeasurementContext& context);
Measured measure(const std::filesystem::path& trace_file, const MeasurementContext& context);

/// Every metric that measure() can give, for the check of [published].
std::vector<std::string> known_metrics();

}  // namespace weir::experiments::run
