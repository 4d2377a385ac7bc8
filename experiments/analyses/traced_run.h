#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "firmware/kernel.h"

namespace weir::nodes {
struct MachineConfiguration;
}

namespace weir::experiments::analyses {

/// A run of a kernel that has left a trace, for who measures it.
struct TracedRun {
    const trace::Trace& trace;
    const firmware::Kernel& kernel;  ///< prepared
    const nodes::MachineConfiguration& machine;
    std::int32_t node_count = 0;
    bool handlers_wait_for_bodies = true;  ///< blocking receives
    /// The cycles that the experiment asks about; window is narrower where a steady state ends or a
    /// warm-up was found.
    trace::CycleWindow asked;
    trace::CycleWindow window;
    nlohmann::ordered_json facts;  ///< of the program, for its own analysis

    [[nodiscard]] firmware::Communication communication() const { return kernel.communication(); }
    [[nodiscard]] firmware::MessagePattern pattern() const { return kernel.message_pattern(); }
    /// Whether the trace says what cores did.
    [[nodiscard]] bool has_intervals() const { return trace.has("core_intervals"); }
};

}  // namespace weir::experiments::analyses
