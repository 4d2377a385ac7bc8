#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"
#include "hw/units.h"

namespace weir::experiments::trace {

/// What the interrupts of a window cost beyond their handler's body and beyond the cheapest
/// interrupt of the whole trace that restored no words: saving and restoring messages the thread
/// had partly composed.
hw::Cycles save_cycles(const Trace& trace, CycleWindow window);

/// Where the processors' cycles went in a window of a program that sends without waiting (LoGPC
/// Section 5.1.2), for each message handled in it.
struct DeliveryBreakdown {
    struct Part {
        std::string name;
        double mean_cycles;  ///< for each message
        hw::Cycles total;
    };
    std::int64_t messages = 0;
    double cycles_per_message = 0;  ///< all nodes' cycles in the window / messages; 0 if none
    hw::Cycles total;  ///< all nodes' cycles in the window, exactly the sum of the parts
    std::vector<Part> parts;
};

/// The parts: compute, send, blocked, dma, wait, handler, saves, trap, done and, where a core was
/// in them, switch and memory_wait, the core's states; `saves` is save_cycles(), and `handler` the
/// rest of the cycles in interrupts. The window must have an end.
///
/// Throws TraceError when the cores' intervals don't fill the window exactly.
DeliveryBreakdown delivery_breakdown(const Trace& trace, CycleWindow window);

/// When the handlers of the messages that delivery_breakdown() counts ended, in order.
std::vector<hw::Cycles> delivery_ends(const Trace& trace, CycleWindow window = {});

}  // namespace weir::experiments::trace
