#pragma once

#include "nodes/programming/processor.h"

namespace weir::firmware {

/// Program's side of the hardware barrier (hw/barrier/barrier_network.h): a store to arrive, and a
/// load that waits for the release and can be interrupted by handlers. A node that polls instead
/// reads the barrier's state between its polls, so that it receives messages while it waits.
class HardwareBarrier {
  public:
    explicit HardwareBarrier(nodes::Processor& processor) : processor_(processor) {}

    /// Thread only: arrives at the barrier; returns when all nodes have arrived.
    nodes::Task meet(nodes::CallPlace call = nodes::CallPlace::current());

  private:
    nodes::Processor& processor_;
};

}  // namespace weir::firmware
