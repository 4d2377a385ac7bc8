#pragma once

#include <string>

#include "hw/units.h"
#include "nodes/run_end.h"

namespace weir::nodes {

class Machine;

/// Observer that stops a machine's run between two cycles. An observer does not change the run:
/// the machine checks for the run's end in the same cycles as without an observer.
class RunStops {
  public:
    RunStops() = default;
    RunStops(const RunStops&) = delete;
    RunStops& operator=(const RunStops&) = delete;
    virtual ~RunStops() = default;

    /// Called before the first cycle.
    virtual void run_begins(Machine& machine) = 0;
    /// Next cycle after whose ticks the run has to stop; kNever: none.
    [[nodiscard]] virtual hw::Cycles next_stop() const = 0;
    /// Called after the ticks of next_stop(), and also every few thousand cycles. Machine::now() is
    /// the cycle whose ticks were the last. Returning false ends the run as interrupted.
    [[nodiscard]] virtual bool stopped(Machine& machine) = 0;
    /// Called when nothing more happens, before the statistics and the trace are completed.
    virtual void run_ended(Machine& machine, RunEnd end) = 0;
    /// Called when the run ends by an exception with this text.
    virtual void run_failed(Machine& machine, const std::string& why) = 0;
};

}  // namespace weir::nodes
