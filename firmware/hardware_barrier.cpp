#include "firmware/hardware_barrier.h"

#include "hw/barrier/barrier_registers.h"
#include "hw/units.h"

namespace weir::firmware {

// Not in the header: g++ 12 names the members of a coroutine's frame differently in different
// files, and the linker reports two types.
nodes::Task HardwareBarrier::meet(nodes::CallPlace call) {
    co_await processor_.store(WEIR_BARRIER_ARRIVE, 0, call);
    if (processor_.receive_mode() != nodes::ReceiveMode::kPolling) {
        co_await processor_.load(WEIR_BARRIER_WAIT, call);
        co_return;
    }
    for (;;) {  // not `while (co_await ...)`, which g++ 12 miscompiles here
        const std::uint32_t still_waits = co_await processor_.load(WEIR_BARRIER_ARRIVED, call);
        if (still_waits == 0) {
            break;
        }
        // The wait polls for a message at its beginning; its one cycle lets time pass in the loop.
        co_await processor_.wait_to_ask_again(processor_.now() + hw::Cycles(1), WEIR_BARRIER_WAIT,
                                              call);
    }
}

}  // namespace weir::firmware
