#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// Cycles in a window to save and restore messages that the thread had partly composed. Compares
/// each interrupt that restored words with the cheapest interrupt of the whole trace that restored
/// none. Cycles of the handlers' own code do not count.
hw::Cycles save_cycles(const Trace& trace, CycleWindow window);

/// Processor cycles per handled message in a window, for a program that sends without waiting
/// (LoGPC Section 5.1.2).
struct DeliveryBreakdown {
    struct Part {
        std::string name;
        double mean_cycles;  ///< mean cycles of the part per handled message
        hw::Cycles total;
    };
    std::int64_t messages = 0;
    /// Cycles of all nodes in the window, divided by the number of messages; 0 without messages.
    double cycles_per_message = 0;
    hw::Cycles total;  ///< all nodes' cycles in the window; exactly the sum of the parts
    std::vector<Part> parts;
};

/// Divides the cycles in a window into parts: compute, send, blocked, dma, wait, handler, saves,
/// trap and done. The core states switch, memory_wait and synchronize are further parts if a core
/// was in them.
/// `saves` is save_cycles(), and `handler` the remaining cycles in interrupts. The window must have
/// an end.
///
/// Throws TraceError if the cores' intervals do not fill the window exactly.
DeliveryBreakdown delivery_breakdown(const Trace& trace, CycleWindow window);

/// Cycles in which the handlers counted by delivery_breakdown() ended, in increasing order.
std::vector<hw::Cycles> delivery_ends(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
