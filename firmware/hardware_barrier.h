#pragma once

#include "hw/barrier_registers.h"
#include "hw/units.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// The program's side of the hardware barrier (hw/barrier_network.h): a store to arrive and a load
/// that waits, in which handlers interrupt. A node that polls asks for its release between its
/// polls instead, so that it takes messages while it waits.
class HardwareBarrier {
  public:
    explicit HardwareBarrier(nodes::Processor& processor) : processor_(processor) {}

    /// Thread only: arrives, and returns when all nodes have.
    nodes::Task meet() {
        co_await processor_.store(WEIR_BARRIER_ARRIVE, 0);
        if (processor_.receive_mode() != nodes::ReceiveMode::kPolling) {
            co_await processor_.load(WEIR_BARRIER_WAIT);
            co_return;
        }
        for (;;) {  // not while (co_await ...), which g++ 12 translates wrongly here
            const std::uint32_t still_waits = co_await processor_.load(WEIR_BARRIER_ARRIVED);
            if (still_waits == 0) {
                break;
            }
            // A poll falls due with the wait's begin; a cycle, so that time passes.
            co_await processor_.wait_to_ask_again(processor_.now() + hw::Cycles(1),
                                                  WEIR_BARRIER_WAIT);
        }
    }

  private:
    nodes::Processor& processor_;
};

}  // namespace weir::firmware
