#include "experiments/models/logp/algorithms/fft.h"

#include <algorithm>
#include <string>

#include "experiments/models/logp/algorithms/parallel_random_access.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostPoints = std::int64_t{1} << 40;

void check(const FftInputs& inputs) {
    require_logp_machine(inputs.machine);
    if (inputs.points < 2 || inputs.points > kMostPoints || !is_power_of_two(inputs.points)) {
        throw ModelError("points (n) is " + std::to_string(inputs.points),
                         "a power of two, 2 to " + std::to_string(kMostPoints));
    }
    const int processors = inputs.machine.processors;
    if (!is_power_of_two(processors) || processors > inputs.points) {
        throw ModelError(
            "processors (P) is " + std::to_string(processors),
            "a power of two, 1 to points (n), which is " + std::to_string(inputs.points));
    }
    // Where nothing takes time there is no rate, nor a ratio to the computation.
    require_quantity("butterfly_cycles", inputs.butterfly_cycles, 1e-9, "cycles");
    require_quantity("point_cycles", inputs.point_cycles, 0.0, "cycles");
    require_quantity("message_bytes (B)", inputs.message_bytes, 0.0, "bytes");
}

/// Between two messages of the remap, each a send and a reception with its load and store.
double remap_interval(const FftInputs& inputs) {
    return std::max(inputs.point_cycles + 2.0 * inputs.machine.overhead_cycles,
                    inputs.machine.gap_cycles);
}

FftRemap remap(const FftInputs& inputs, double computation_cycles) {
    const LogpMachine& machine = inputs.machine;
    const auto processors = static_cast<double>(machine.processors);
    const double rows = static_cast<double>(inputs.points) / processors;  // n/P
    const double run = rows / processors;  // n/P^2, to one destination
    const double messages = rows - run;
    const double gap = logp_exchange_interval_cycles(machine);
    const double reception_gap = logp_send_interval_cycles(machine);
    const double latency = machine.latency_cycles;
    const double interval = remap_interval(inputs);
    if (interval < 1e-9) {
        throw ModelError(
            "gap_cycles (g), overhead_cycles (o) and point_cycles: max(point + 2o, g) is " +
                shortest_text(interval),
            "1e-9 or more cycles");
    }
    const double communication = gap * messages + latency;
    const double staggered = rows * interval + latency;
    const double destinations = processors - 1.0;
    const double idle = machine.gap_cycles - 2.0 * machine.overhead_cycles;
    return {
        .messages_per_processor = messages,
        .communication_cycles = communication,
        .total_cycles = computation_cycles + communication,
        .total_over_computation = 1.0 + communication / computation_cycles,
        .paper_bound =
            1.0 + gap * rows / computation_cycles,  // 1 + g/log n in units of a butterfly
        .staggered_cycles = staggered,
        .staggered_bytes_per_cycle = inputs.message_bytes * rows / staggered,
        .asymptotic_bytes_per_cycle = inputs.message_bytes / interval,
        .naive_in_turn_cycles = 0.5 * processors * destinations * run * reception_gap + latency,
        .naive_least_cycles =
            std::max(0.0, 2.0 * destinations - 1.0) * run * reception_gap + latency,
        .idle_cycles_per_message = std::max(0.0, idle),
        .overlapped_least_cycles =
            std::max(computation_cycles + 2.0 * machine.overhead_cycles * messages,
                     messages == 0.0
                         ? 0.0
                         : (messages - 1.0) * machine.gap_cycles + logp_delivery_cycles(machine)),
    };
}

}  // namespace

FftSolution solve_logp_fft(const FftInputs& inputs) {
    check(inputs);
    const LogpMachine& machine = inputs.machine;
    const std::int64_t processors = machine.processors;
    const double rows = static_cast<double>(inputs.points) / static_cast<double>(processors);
    const double columns = logarithm_of_power_of_two(inputs.points);
    const double remote_columns = logarithm_of_power_of_two(processors);
    const double computation = inputs.butterfly_cycles * rows * columns;
    const double communication =
        (logp_exchange_interval_cycles(machine) * rows + machine.latency_cycles) * remote_columns;

    const BspMachine bsp = bsp_machine_of(machine, inputs.bsp_barrier);
    const double column = inputs.butterfly_cycles * rows;
    // Cyclic: the local columns and the first exchange, an exchange with each column but the last
    // of the remote ones, and the last column.
    const double first = column * (columns - remote_columns);
    double bsp_single = bsp_superstep_cycles(bsp, computation, 0.0);
    if (processors > 1) {
        bsp_single = bsp_superstep_cycles(bsp, first, rows) +
                     (remote_columns - 1.0) * bsp_superstep_cycles(bsp, column, rows) +
                     bsp_superstep_cycles(bsp, column, 0.0);
    }
    FftSolution solution{
        .computation_cycles = computation,
        .single_layout_communication_cycles = communication,
        .single_layout_total_cycles = computation + communication,
        .hybrid = std::nullopt,
        .pram_steps = pram_fft_steps(processors, inputs.points),
        .bsp_single_layout_cycles = bsp_single,
        .bsp_hybrid_cycles = std::nullopt,
    };
    if (processors * processors <= inputs.points) {
        solution.hybrid = remap(inputs, computation);
        solution.bsp_hybrid_cycles =
            processors == 1
                ? bsp_single
                : bsp_superstep_cycles(bsp, first, solution.hybrid->messages_per_processor) +
                      bsp_superstep_cycles(bsp, column * remote_columns, 0.0);
    }
    return solution;
}

}  // namespace weir::experiments::models
