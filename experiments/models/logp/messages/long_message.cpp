#include "experiments/models/logp/messages/long_message.h"

#include <algorithm>
#include <string>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostSmallMessages = 1'000'000'000'000;

}  // namespace

LogpLongMessage solve_logp_long_message(const LogpMachine& machine, std::int64_t small_messages,
                                        double work_cycles) {
    require_logp_machine(machine);
    require_quantity("work_cycles (W)", work_cycles, 0.0, "cycles");
    if (small_messages < 1 || small_messages > kMostSmallMessages) {
        throw ModelError("small_messages (k) is " + std::to_string(small_messages),
                         "1 to " + std::to_string(kMostSmallMessages));
    }
    const auto count = static_cast<double>(small_messages);
    const double interval = logp_send_interval_cycles(machine);
    const double overheads = count * machine.overhead_cycles;
    const double sending = (count - 1.0) * interval + machine.overhead_cycles;
    return {
        .message_cycles = sending + machine.latency_cycles + machine.overhead_cycles,
        .synchronous_send_cycles =  // Section 5.2
        3.0 * logp_delivery_cycles(machine) + count * machine.gap_cycles,
        .processor_busy_cycles = overheads,
        .one_processor_cycles = std::max(work_cycles + overheads, sending),
        .two_processors_cycles = std::max(work_cycles, sending),
        .overhead_as_gap_cycles = work_cycles + count * interval,
    };
}

}  // namespace weir::experiments::models
