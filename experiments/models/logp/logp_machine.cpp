#include "experiments/models/logp/logp_machine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

void require_logp_machine(const LogpMachine& machine) {
    require_quantity("latency_cycles (L)", machine.latency_cycles);
    require_quantity("overhead_cycles (o)", machine.overhead_cycles);
    require_quantity("gap_cycles (g)", machine.gap_cycles);
    if (machine.processors < 1 || machine.processors > kLogpMostProcessors) {
        throw ModelError("processors (P) is " + std::to_string(machine.processors),
                         "1 to " + std::to_string(kLogpMostProcessors));
    }
}

double logp_delivery_cycles(const LogpMachine& machine) {
    return machine.latency_cycles + 2.0 * machine.overhead_cycles;
}

double logp_send_interval_cycles(const LogpMachine& machine) {
    return std::max(machine.gap_cycles, machine.overhead_cycles);
}

double logp_exchange_interval_cycles(const LogpMachine& machine) {
    return std::max(machine.gap_cycles, 2.0 * machine.overhead_cycles);
}

int logarithm_of_power_of_two(std::int64_t power) {
    assert(is_power_of_two(power));
    return static_cast<int>(std::countr_zero(static_cast<std::uint64_t>(power)));
}

int rounds_of_doubling(std::int64_t count) {
    assert(count >= 1);
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

bool is_power_of_two(std::int64_t count) {
    return count > 0 && std::has_single_bit(static_cast<std::uint64_t>(count));
}

void declare_logp_machine(Model& model, LogpMachine& machine) {
    model.input(WEIR_NAMED(machine, latency_cycles), "L", "Latency of a message in the network");
    model.input(WEIR_NAMED(machine, overhead_cycles), "o",
                "Processor time to send a message, and to receive one");
    model.input(WEIR_NAMED(machine, gap_cycles), "g",
                "Shortest time between two sends, or two receptions, of a processor");
    model.input(WEIR_NAMED(machine, processors), "P",
                "Number of processors, each with its own memory", {1.0, kLogpMostProcessors});
}

}  // namespace weir::experiments::models
