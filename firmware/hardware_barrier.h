#pragma once

#include "nodes/programming/processor.h"

namespace weir::firmware {

/// The program's side of the hardware barrier (hw/barrier/barrier_network.h): a store to arrive and
/// a load that waits, in which handlers interrupt. A node that polls asks for its release between
/// its polls instead, so that it takes messages while it waits.
class HardwareBarrier {
  public:
    explicit HardwareBarrier(nodes::Processor& processor) : processor_(processor) {}

    /// Thread only: arrives, and returns when all nodes have.
    nodes::Task meet(nodes::CallPlace call = nodes::CallPlace::current());

  private:
    nodes::Processor& processor_;
};

}  // namespace weir::firmware
