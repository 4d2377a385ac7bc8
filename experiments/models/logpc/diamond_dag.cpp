#include "experiments/models/logpc/diamond_dag.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

void check_without_blocks(const DiamondDagInputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_count("tasks_per_side (n)", inputs.tasks_per_side, inputs.processors,
                  "tasks (a line of them for each processor)");
    require_quantity("task_cycles", inputs.task_cycles, 1e-9, "cycles");
    require_quantity("aggregation_cycles_per_value (alpha)", inputs.aggregation_cycles_per_value,
                     0.0, "cycles");
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles, 0.0, "cycles");
    require_quantity("latency_cycles (L)", inputs.latency_cycles, 0.0, "cycles");
    require_quantity("gap_cycles_per_byte (G)", inputs.gap_cycles_per_byte, 1e-9,
                     "cycles per byte");
    require_quantity("header_bytes (a)", inputs.header_bytes, 0.0, "bytes");
}

void check(const DiamondDagInputs& inputs) {
    check_without_blocks(inputs);
    require_count("blocks (b)", inputs.blocks, 1, "blocks");
    if (inputs.blocks > inputs.tasks_per_side) {
        throw ModelError(
            "blocks (b) is " + std::to_string(inputs.blocks),
            "1 to " + std::to_string(inputs.tasks_per_side) + " blocks, a column of tasks each");
    }
    require_quantity("message_bytes (B)", inputs.message_bytes, 1.0 + inputs.header_bytes,
                     "bytes (a header and a byte at least)");
}

/// The cycles of work in a stripe, aggregation apart: w_a b.
double stripe_work_cycles(const DiamondDagInputs& inputs) {
    const double side = inputs.tasks_per_side;
    return side * side / inputs.processors * inputs.task_cycles;
}

/// The network's solution where heads never wait: C_n = 0.
LogpcNetworkSolution without_contention(LogpcNetworkInputs network, double intermessage) {
    const double distance = network.mean_distance_per_dimension;
    network.mean_distance_per_dimension = 1.0;
    const double saturation_rate = logpc_saturation_rate(network) / distance;
    const double utilization = 1.0 / intermessage / saturation_rate;  // (4)
    if (utilization >= 1.0) {
        throw ModelError(
            "a message every " + shortest_text(intermessage) + " cycles (v) saturates the channels",
            "more than " + shortest_text(1.0 / saturation_rate) + " cycles");
    }
    return {.messages_per_cycle_per_node = 1.0 / intermessage,
            .intermessage_cycles = intermessage,
            .channel_utilization = utilization};
}

}  // namespace

DiamondDag solve_diamond_dag(const DiamondDagInputs& inputs) {
    check(inputs);
    const double processors = inputs.processors;
    const double blocks = inputs.blocks;
    const double bytes = inputs.message_bytes;
    const double gap = inputs.gap_cycles_per_byte;

    DiamondDag dag;
    const double aggregation =
        inputs.aggregation_cycles_per_value * inputs.tasks_per_side / blocks;  // alpha n/b
    dag.block_work_cycles = stripe_work_cycles(inputs) / blocks;
    dag.block_cycles = dag.block_work_cycles + aggregation;
    dag.block_send_cycles = inputs.send_overhead_cycles + (bytes - 1.0) * gap;
    dag.block_receive_cycles = (bytes - 1.0 - inputs.header_bytes) * gap;
    dag.notification_cycles = inputs.latency_cycles + inputs.header_bytes * gap;
    dag.first_block_cycles = dag.block_receive_cycles + dag.block_cycles + dag.notification_cycles;
    dag.next_block_cycles = dag.block_send_cycles + dag.block_cycles + dag.block_receive_cycles;
    dag.makespan_cycles = (dag.block_cycles + dag.notification_cycles) +
                          (processors - 2.0) * dag.first_block_cycles +
                          (blocks - 1.0) * dag.next_block_cycles + dag.block_receive_cycles +
                          dag.block_cycles;  // (15)
    dag.communication_to_computation = 2.0 * bytes * gap / dag.block_cycles;
    const double blocks_on_the_critical_path = processors - 1.0 + blocks;
    const double aggregated = aggregation * blocks_on_the_critical_path;
    dag.aggregation_share = aggregated / dag.makespan_cycles;
    dag.half_aggregation_cycles_per_value =
        (dag.makespan_cycles - aggregated) /
        (inputs.tasks_per_side / blocks * blocks_on_the_critical_path);
    return dag;
}

BestDiamondDagBlocks best_diamond_dag_blocks(const DiamondDagInputs& inputs,
                                             double bytes_per_value) {
    check_without_blocks(inputs);
    require_quantity("bytes_per_value", bytes_per_value, 1.0, "bytes");
    const double processors = inputs.processors;
    const double gap = inputs.gap_cycles_per_byte;
    const double side = inputs.tasks_per_side;
    // With B = D/b, M is (falling)/b + (growing) b and what does not change with b.
    const double falling =
        (stripe_work_cycles(inputs) + inputs.aggregation_cycles_per_value * side) *
            (processors - 1.0) +
        bytes_per_value * side * gap * (processors - 3.0);
    const double growing = inputs.send_overhead_cycles - (2.0 + inputs.header_bytes) * gap;
    BestDiamondDagBlocks best;
    best.most_blocks = std::min(side, bytes_per_value * side / (1.0 + inputs.header_bytes));
    if (best.most_blocks < 1.0) {
        throw ModelError(
            "bytes_per_value is " + shortest_text(bytes_per_value),
            shortest_text((1.0 + inputs.header_bytes) / side) +
                " bytes or more, or a block's edge is shorter than a header and a byte");
    }
    const auto with_b = [&](double blocks) { return falling / blocks + growing * blocks; };
    if (falling <= 0.0) {
        // M has no minimum between the ends.
        best.blocks = with_b(1.0) <= with_b(best.most_blocks) ? 1.0 : best.most_blocks;
    } else if (growing > 0.0) {
        const double level = std::sqrt(falling / growing);  // dM/db = 0
        best.limited = level > best.most_blocks;
        best.blocks = std::clamp(level, 1.0, best.most_blocks);
    }
    return best;
}

DiamondDagContention solve_diamond_dag_contention(const DiamondDagInputs& inputs,
                                                  LogpcNetworkInputs network) {
    const DiamondDag dag = solve_diamond_dag(inputs);
    require_quantity("mean_distance_per_dimension (k_d)", network.mean_distance_per_dimension, 1e-9,
                     "hops");
    network.message_bytes = inputs.message_bytes;
    constexpr double kWaitsPerBlock = 2.0;  // m_c = 1/(v + 2 C_n)
    DiamondDagContention contention;
    contention.below_a_hop = network.mean_distance_per_dimension < 1.0;
    contention.network = contention.below_a_hop
                             ? without_contention(network, dag.next_block_cycles)
                             : solve_logpc_network(network, dag.next_block_cycles, kWaitsPerBlock);
    contention.makespan_cycles =
        dag.makespan_cycles + (inputs.processors - 1.0 + kWaitsPerBlock * (inputs.blocks - 1.0)) *
                                  contention.network.contention_cycles;
    contention.slowdown = contention.makespan_cycles / dag.makespan_cycles;
    return contention;
}

}  // namespace weir::experiments::models
