#include "experiments/models/logpc/diamond_dag.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/logpc/logpc_network_inputs.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

void check_without_blocks(const DiamondDagInputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_count("tasks_per_side (n)", inputs.tasks_per_side, inputs.processors,
                  "tasks (at least one row of tasks for each processor)");
    require_quantity("task_cycles", inputs.task_cycles, 1e-9);
    require_quantity("aggregation_cycles_per_value (alpha)", inputs.aggregation_cycles_per_value,
                     0.0, "cycles");
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles);
    require_quantity("latency_cycles (L)", inputs.latency_cycles);
    require_quantity("gap_cycles_per_byte (G)", inputs.gap_cycles_per_byte, 1e-9);
    require_quantity("header_bytes (a)", inputs.header_bytes);
}

void check(const DiamondDagInputs& inputs) {
    check_without_blocks(inputs);
    require_count("blocks (b)", inputs.blocks, 1, "blocks");
    if (inputs.blocks > inputs.tasks_per_side) {
        throw ModelError("blocks (b) is " + std::to_string(inputs.blocks),
                         "1 to " + std::to_string(inputs.tasks_per_side) +
                             " blocks, each at least one column of tasks");
    }
    require_quantity("message_bytes (B)", inputs.message_bytes, 1.0 + inputs.header_bytes,
                     "bytes (a header and a byte at least)");
}

/// Work of all tasks of a stripe, without aggregation: w_a b.
double stripe_work_cycles(const DiamondDagInputs& inputs) {
    const double side = inputs.tasks_per_side;
    return side * side / inputs.processors * inputs.task_cycles;
}

/// Solution of the network where heads never wait: C_n = 0.
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
    // With B = D/b, M is falling/b + growing b plus a constant.
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
        // M has no minimum inside the interval, so it is least at one of its ends.
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

namespace {

class DiamondDagModel final : public Model {
  public:
    DiamondDagModel()
        : Model("logpc-diamond-dag", "Diamond DAG in stripes, with three mappings to a mesh",
                "LoGPC (2001), section 5.2") {
        input(extents_, "extents", "k", "Nodes along each dimension, x first", {1.0, 1e6});
        input(WEIR_NAMED(in_, tasks_per_side), "n", "Number of tasks along a side of the DAG",
              kWholeLimits);
        input(WEIR_NAMED(in_, blocks), "b", "Number of blocks in a processor's stripe",
              kWholeLimits);
        input(WEIR_NAMED(in_, task_cycles), "", "Computation time of one task", kGapLimits);
        input(WEIR_NAMED(in_, aggregation_cycles_per_value), "alpha",
              "Time to pack and unpack one value of a block's edge");
        input(WEIR_NAMED(in_, message_bytes), "B",
              "Length of the message that carries a block's edge", kLengthLimits);
        input(bytes_per_value_, "bytes_per_value", "",
              "Bytes of a value, for best_blocks; a message has n/b values", kLengthLimits);
        input(WEIR_NAMED(in_, send_overhead_cycles), "o_s",
              "Processor time until the launch, DMA set-up included");
        input(WEIR_NAMED(in_, latency_cycles), "L", "Latency of the first byte in an idle network");
        input(WEIR_NAMED(in_, header_bytes), "a",
              "Header bytes, which arrive before the interrupt");
        choice(mapping_, "mapping",
               "Placement of stripes: random nodes, nodes in number order, or neighbours",
               kMappings);
        channels_.declare(*this);

        output(WEIR_NAMED(contention_, makespan_cycles), "",
               "Makespan with contention on the whole critical path", "Section 5.2.1");
        output(dag_.makespan_cycles, "contention_free_makespan_cycles", "M",
               "Makespan without contention", "(15)");
        output(WEIR_NAMED(contention_, slowdown), "",
               "Makespan with contention over makespan without", "Section 5.2.1");
        output(WEIR_NAMED(dag_, block_cycles), "W", "Time of a block: its tasks and aggregation",
               "Section 5.2.1");
        output(WEIR_NAMED(dag_, first_block_cycles), "u",
               "Time from a stripe's first block to the first of the next stripe", "(15)");
        output(WEIR_NAMED(dag_, next_block_cycles), "v",
               "Time from a block to the next in the same stripe", "(15)");
        output(WEIR_NAMED(dag_, communication_to_computation), "",
               "Communication over computation: 2 B G/W", "Section 5.2.2");
        output(contention_.network.contention_cycles, "network_contention_cycles", "C_n",
               "Time that a message waits in the network", "(6)");
        output(WEIR_NAMED(contention_.network, messages_per_cycle_per_node), "m_c",
               "Injection rate of a node: 1/(v + 2 C_n)", "Section 5.2.1");
        output([this] { return distance(mapping_).hops; }, "mean_hops", "n k_d",
               "Mean hops of a message in the mapping", "(11), (12)");
        output(WEIR_NAMED(dag_, aggregation_share), "", "Share of the makespan that is aggregation",
               "(15)");
        output(WEIR_NAMED(dag_, half_aggregation_cycles_per_value), "alpha",
               "Alpha at which aggregation is half of the makespan", "(15)");
        output(best_blocks_, "best_blocks", "b", "Number of blocks with the shortest makespan",
               "dM/db = 0");
        output(WEIR_NAMED(in_, processors), "P", "Nodes of the mesh; each computes a stripe");
    }

  private:
    struct Distance {
        int dimensions = 0;
        double hops = 0.0;
    };

    [[nodiscard]] Distance distance(const std::string& name) const {
        const int dimensions = static_cast<int>(mesh_.size());
        if (name == "random") {
            return {dimensions, mean_hops_to_others({.extents = mesh_})};
        }
        if (name == "perfect") {
            return {dimensions, 1.0};
        }
        return {name == "default" ? dimensions : 1,
                mean_hops_to_numbered_neighbours({.extents = mesh_}, 1, NumberingEnds::kGoOn)};
    }

    [[nodiscard]] DiamondDagContention contention_in(const Distance& way,
                                                     std::size_t occupancy) const {
        LogpcNetworkInputs network{.dimensions = way.dimensions,
                                   .mean_distance_per_dimension = way.hops / way.dimensions};
        channels_.apply(network, occupancy);
        return solve_diamond_dag_contention(in_, network);
    }

    void evaluate() override {
        mesh_ = whole_extents(extents_);
        // Throws ModelError for a mesh of one node, and for more than a million nodes.
        (void)distance("default");
        in_.processors = 1;
        for (const int extent : mesh_) {
            in_.processors *= extent;
        }
        in_.gap_cycles_per_byte = channels_.gap_cycles_per_byte;
        dag_ = solve_diamond_dag(in_);
        contention_ = contention_in(distance(mapping_), channels_.channel_occupancy);
        find_best_blocks();
        add_mappings();
        note("For k_d below one hop, contention is taken as 0: (3) has the factor k_d - 1.");
        if (mesh_ != kPaperMesh) {
            return;
        }
        note(
            "The default mapping (1.875 hops on 4 x 8) has no contention, like the perfect one. "
            "Counted in one dimension (default_one_dimension), it has contention.");
        note(
            "In Figure 9 at 320,000 bytes the paper measured 56 % (random; 54 % in its "
            "introduction) "
            "and 31 % (default). As printed these equations give 139 % and 102 % (one dimension), "
            "with channels held for G B cycles 50 % and 34 %.");
    }

    void find_best_blocks() {
        best_blocks_.reset();
        try {
            const BestDiamondDagBlocks best = best_diamond_dag_blocks(in_, bytes_per_value_);
            best_blocks_ = best.blocks;
            if (!best.blocks) {
                note(
                    "o_s is not above (2 + a) G: more blocks are always better, and no b is best.");
            } else if (best.limited) {
                note(
                    "best_blocks is at its limit: a block has at least one column of tasks, its "
                    "message at least a header and a byte. dM/db = 0 lies beyond this limit.");
            }
        } catch (const ModelError& error) {
            note(std::string("No best_blocks: ") + error.what());
        }
    }

    void add_mappings() {
        for (const std::string& name : kMappings) {
            const Distance way = distance(name);
            for (std::size_t form = 0; form < kChannelOccupancies.size(); ++form) {
                std::vector<OutputTable::Cell> row{name, kChannelOccupancies[form], way.hops};
                try {
                    const DiamondDagContention one = contention_in(way, form);
                    row.insert(row.end(),
                               {one.network.contention_cycles, one.makespan_cycles, one.slowdown});
                } catch (const ModelError&) {
                    row.resize(mappings_.columns().size(), std::string("no solution"));
                }
                mappings_.add_row(std::move(row));
            }
        }
    }

    inline static const std::vector<std::string> kMappings = {"random", "default", "perfect",
                                                              "default_one_dimension"};

    std::vector<double> extents_;
    DiamondDagInputs in_;
    double bytes_per_value_ = 8.0;
    std::string mapping_;
    ChannelInputs channels_;
    std::vector<int> mesh_;
    DiamondDag dag_;
    DiamondDagContention contention_;
    std::optional<double> best_blocks_;
    OutputTable mappings_{
        *this,
        "mappings",
        "All mappings, with both readings of the time that a message holds a channel",
        {{"mapping", "Placement of stripes"},
         {"channel_occupancy",
          "Time that a message holds a channel: B cycles (as_printed) or G B cycles"},
         {"mean_hops", "Mean number of hops of a message"},
         {"network_contention_cycles", "Time that a message waits in the network, C_n"},
         {"makespan_cycles", "Makespan with contention"},
         {"slowdown", "Makespan with contention over makespan without"}},
        "Section 5.2.1"};
};

}  // namespace

std::unique_ptr<Model> logpc_diamond_dag_model() { return std::make_unique<DiamondDagModel>(); }

}  // namespace weir::experiments::models
