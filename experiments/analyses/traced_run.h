#pragma once

#include <cstdint>

#include "experiments/records/held_json.h"
#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "firmware/kernel.h"

namespace weir::nodes {
struct MachineConfiguration;
}

namespace weir::experiments::analyses {

/// A run of a kernel with its trace, as input of measurements.
struct TracedRun {
    const trace::Trace& trace;
    const firmware::Kernel& kernel;  ///< prepared
    const nodes::MachineConfiguration& machine;
    std::int32_t node_count = 0;
    bool handlers_wait_for_bodies = true;  ///< whether a handler that receives a body waits for it
    /// `asked` is the window that the experiment gives. `window`, the measured one, is narrower if
    /// the kernel's steady state ends earlier or a warm-up was detected.
    trace::CycleWindow asked;
    trace::CycleWindow window;
    records::HeldJson facts;  ///< facts of the kernel's data, for the kernel's own analysis

    [[nodiscard]] firmware::Communication communication() const { return kernel.communication(); }
    [[nodiscard]] firmware::MessagePattern pattern() const { return kernel.message_pattern(); }
    /// Whether the trace has core intervals.
    [[nodiscard]] bool has_intervals() const { return trace.has("core_intervals"); }
};

}  // namespace weir::experiments::analyses
