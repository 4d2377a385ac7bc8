#include <array>
#include <memory>

#include "experiments/models/logpc/diamond_dag.h"
#include "experiments/models/logpc/em3d_communication.h"
#include "experiments/models/logpc/logpc_long_message.h"
#include "experiments/models/logpc/logpc_model_groups.h"
#include "experiments/models/logpc/mean_distance.h"

namespace weir::experiments::models {
namespace {

constexpr Limits kWholeLimits = {1.0, 1e9};

class LongRemap final : public Model {
  public:
    LongRemap()
        : Model("logpc-long-remap", "All-to-all remap with long messages, and the bound it gives",
                "LoGPC (2001), sections 3.4 and 5.1.3") {}

    QuantityInput send_overhead_cycles{*this, "send_overhead_cycles", "o_s",
                                       "The processor until the launch, DMA set-up included"};
    QuantityInput header_bytes{*this, "header_bytes", "a",
                               "Bytes that arrive before the receiving DMA starts"};
    NetworkInputs network{*this};

    Output intermessage_cycles{*this, "intermessage_cycles", "T_c",
                               "From a node's message to its next: F B cycles", "(13)"};
    Output cycles_per_byte{*this, "cycles_per_byte", "F", "T_c for each byte of a message", "(13)"};
    Output inflation{*this, "inflation", "T_c/T", "The most that contention can cost", "(14)"};
    Output contention_share{*this, "contention_share", "", "Contention's share of T_c", "(14)"};
    Output contention_free_intermessage_cycles{*this, "contention_free_intermessage_cycles", "T",
                                               "2 G B: from message to message without contention",
                                               "Section 5.1.3"};
    Output exact_contention_free_cycles{*this, "exact_contention_free_cycles", "",
                                        "T before it was rounded: o_s + (B-1)G + (B-1-a)G",
                                        "Section 5.1.3"};
    Output exact_intermessage_cycles{*this, "exact_intermessage_cycles", "", "T_c from that T",
                                     "(7)"};
    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting on its way", "(7)"};
    Output channel_utilization = channel_utilization_of(*this);
    OutputTable forms = forms_table(
        *this, {{"cycles_per_byte", "F"}, {"inflation", "T_c/T"}, {"intermessage_cycles", "T_c"}},
        "(13), (14)");

  private:
    [[nodiscard]] LogpcRemap remap_in(const LogpcNetworkInputs& inputs) const {
        return solve_logpc_long_remap(
            {.send_overhead_cycles = send_overhead_cycles.value(),
             .header_bytes = header_bytes.value(),
             .gap_cycles_per_byte = network.channels.gap_cycles_per_byte.value(),
             .network = inputs});
    }

    void evaluate() override {
        const LogpcRemap remap = remap_in(network.chosen());
        intermessage_cycles = remap.network.intermessage_cycles;
        cycles_per_byte = remap.bound.cycles_per_byte;
        inflation = remap.bound.inflation;
        contention_share = 1.0 - 1.0 / remap.bound.inflation;
        contention_free_intermessage_cycles = remap.contention_free_iteration_cycles;
        exact_contention_free_cycles = remap.exact_iteration_cycles;
        exact_intermessage_cycles = remap.exact_network.intermessage_cycles;
        network_contention_cycles = remap.network.contention_cycles;
        channel_utilization = remap.network.channel_utilization;
        fill_forms(forms, network, [&](const LogpcNetworkInputs& in_form) {
            const LogpcRemap one = remap_in(in_form);
            return std::vector<double>{one.bound.cycles_per_byte, one.bound.inflation,
                                       one.network.intermessage_cycles};
        });
        note(
            "The paper's 2.22 B cycles need k_d = 2, which is 4 hops on 4 x 8 (no node sends to "
            "itself); the 3.875 hops of (11) give 2.17. Channels held for G B cycles give 1.41.");
    }
};

class DiamondDagModel final : public Model {
  public:
    DiamondDagModel()
        : Model("logpc-diamond-dag", "The Diamond DAG in stripes, on three mappings of a mesh",
                "LoGPC (2001), section 5.2") {}

    ListInput extents{*this, "extents", "k", "Nodes along each dimension, x first",
                      Limits{1.0, 1e6}};
    CountInput tasks_per_side{*this, "tasks_per_side", "n", "Tasks along a side of the DAG",
                              kWholeLimits};
    CountInput blocks{*this, "blocks", "b", "Blocks of a processor's stripe", kWholeLimits};
    QuantityInput task_cycles{*this, "task_cycles", "", "One task's work", kGapLimits};
    QuantityInput aggregation_cycles_per_value{
        *this,   "aggregation_cycles_per_value",
        "alpha", "Packing and unpacking of a value of an edge",
        {},      0.0};
    QuantityInput message_bytes{*this, "message_bytes", "B", "Message with a block's edge",
                                kLengthLimits};
    QuantityInput bytes_per_value{*this,
                                  "bytes_per_value",
                                  "",
                                  "For best_blocks: messages of n/b values of this length",
                                  kLengthLimits,
                                  8.0};
    QuantityInput send_overhead_cycles{*this, "send_overhead_cycles", "o_s",
                                       "The processor until the launch, DMA set-up included"};
    QuantityInput latency_cycles{*this, "latency_cycles", "L",
                                 "The first byte's way through an idle network"};
    QuantityInput header_bytes{*this, "header_bytes", "a",
                               "Bytes that arrive before the interrupt"};
    ChoiceInput mapping{*this,
                        "mapping",
                        "Where stripes go: random nodes, their numbers', or neighbours",
                        {"random", "default", "perfect", "default_one_dimension"}};
    ChannelInputs channels{*this};

    Output makespan_cycles{*this, "makespan_cycles", "",
                           "With contention all along the critical path", "Section 5.2.1"};
    Output contention_free_makespan_cycles{*this, "contention_free_makespan_cycles", "M",
                                           "Without contention", "(15)"};
    Output slowdown{*this, "slowdown", "", "The one by the other", "Section 5.2.1"};
    Output block_cycles{*this, "block_cycles", "W", "A block's tasks and aggregation",
                        "Section 5.2.1"};
    Output first_block_cycles{*this, "first_block_cycles", "u",
                              "From a stripe's first block to the next's", "(15)"};
    Output next_block_cycles{*this, "next_block_cycles", "v", "From a stripe's block to its next",
                             "(15)"};
    Output communication_to_computation{*this, "communication_to_computation", "", "2 B G/W",
                                        "Section 5.2.2"};
    Output network_contention_cycles{*this, "network_contention_cycles", "C_n",
                                     "A message's waiting on its way", "(6)"};
    Output messages_per_cycle_per_node{*this, "messages_per_cycle_per_node", "m_c", "1/(v + 2 C_n)",
                                       "Section 5.2.1"};
    Output mean_hops_out{*this, "mean_hops", "n k_d", "Mean hops of a message in the mapping",
                         "(11), (12)"};
    Output aggregation_share{*this, "aggregation_share", "", "Aggregation's share of M", "(15)"};
    Output half_aggregation_cycles_per_value{*this, "half_aggregation_cycles_per_value", "alpha",
                                             "Alpha at which that share is a half", "(15)"};
    Output best_blocks{*this, "best_blocks", "b", "Blocks with the shortest M", "dM/db = 0"};
    Output processors{*this, "processors", "P", "Nodes of the mesh, each with a stripe"};
    OutputTable mappings{*this,
                         "mappings",
                         "Every mapping, in both readings of how long a message holds a channel",
                         {{"mapping", "Where stripes go"},
                          {"channel_occupancy", "As printed B cycles, or G B cycles"},
                          {"mean_hops", "Mean hops of a message"},
                          {"network_contention_cycles", "C_n"},
                          {"makespan_cycles", "With contention"},
                          {"slowdown", "By the contention-free makespan"}},
                         "Section 5.2.1"};

  private:
    struct Distance {
        int dimensions = 0;
        double hops = 0.0;
    };

    [[nodiscard]] Distance distance(const std::string& name, const std::vector<int>& mesh) const {
        const int dimensions = static_cast<int>(mesh.size());
        if (name == "random") {
            return {dimensions, mesh_mean_hops_to_others(mesh)};
        }
        if (name == "perfect") {
            return {dimensions, 1.0};
        }
        return {name == "default" ? dimensions : 1,
                mean_hops_to_numbered_neighbours({.extents = mesh}, 1, NumberingEnds::kGoOn)};
    }

    [[nodiscard]] DiamondDagContention contention_in(const DiamondDagInputs& inputs,
                                                     const Distance& way,
                                                     const std::string& form) const {
        LogpcNetworkInputs network{.dimensions = way.dimensions,
                                   .mean_distance_per_dimension = way.hops / way.dimensions};
        channels.apply(network, form);
        return solve_diamond_dag_contention(inputs, network);
    }

    void evaluate() override {
        const std::vector<int> mesh = whole_extents(extents);
        // Refuses a mesh of one node, and one of more than a million.
        (void)distance("default", mesh);
        const Distance way = distance(mapping.value(), mesh);
        int nodes = 1;
        for (const int extent : mesh) {
            nodes *= extent;
        }
        const DiamondDagInputs inputs{
            .processors = nodes,
            .tasks_per_side = static_cast<int>(tasks_per_side.value()),
            .blocks = static_cast<int>(blocks.value()),
            .task_cycles = task_cycles.value(),
            .aggregation_cycles_per_value = aggregation_cycles_per_value.value(),
            .message_bytes = message_bytes.value(),
            .send_overhead_cycles = send_overhead_cycles.value(),
            .latency_cycles = latency_cycles.value(),
            .gap_cycles_per_byte = channels.gap_cycles_per_byte.value(),
            .header_bytes = header_bytes.value(),
        };
        const DiamondDag dag = solve_diamond_dag(inputs);
        const DiamondDagContention chosen =
            contention_in(inputs, way, channels.channel_occupancy.value());
        makespan_cycles = chosen.makespan_cycles;
        contention_free_makespan_cycles = dag.makespan_cycles;
        slowdown = chosen.slowdown;
        block_cycles = dag.block_cycles;
        first_block_cycles = dag.first_block_cycles;
        next_block_cycles = dag.next_block_cycles;
        communication_to_computation = dag.communication_to_computation;
        network_contention_cycles = chosen.network.contention_cycles;
        messages_per_cycle_per_node = chosen.network.messages_per_cycle_per_node;
        mean_hops_out = way.hops;
        aggregation_share = dag.aggregation_share;
        half_aggregation_cycles_per_value = dag.half_aggregation_cycles_per_value;
        fill_best_blocks(inputs);
        processors = nodes;
        add_mappings(inputs, mesh);
        note("A k_d below one hop is taken as no contention: (3) has the factor k_d - 1.");
        if (mesh != kPaperMesh) {
            return;
        }
        note(
            "That makes the default mapping (1.875 hops on 4 x 8) as good as the perfect one; "
            "counted in one dimension (default_one_dimension) it has contention.");
        note(
            "In Figure 9 at 320,000 bytes the paper measured 56 % (random; 54 % in its "
            "introduction) "
            "and 31 % (default). As printed these equations give 139 % and 102 % (one dimension), "
            "with channels held for G B cycles 50 % and 34 %.");
    }

    void fill_best_blocks(const DiamondDagInputs& inputs) {
        try {
            const BestDiamondDagBlocks best =
                best_diamond_dag_blocks(inputs, bytes_per_value.value());
            if (!best.blocks) {
                note("o_s is not above (2 + a) G: the more blocks the better, and no b is best.");
                return;
            }
            best_blocks = *best.blocks;
            if (best.limited) {
                note(
                    "best_blocks is the most there can be: a block has a column of tasks or more, "
                    "its message a header and a byte. Without that, dM/db = 0 lies beyond.");
            }
        } catch (const ModelError& error) {
            note(std::string("No best_blocks: ") + error.what());
        }
    }

    void add_mappings(const DiamondDagInputs& inputs, const std::vector<int>& mesh) {
        for (const std::string& name : mapping.names()) {
            const Distance way = distance(name, mesh);
            for (const std::string& form : channels.channel_occupancy.names()) {
                std::vector<OutputTable::Cell> row{name, form, way.hops};
                try {
                    const DiamondDagContention one = contention_in(inputs, way, form);
                    row.insert(row.end(),
                               {one.network.contention_cycles, one.makespan_cycles, one.slowdown});
                } catch (const ModelError&) {
                    row.resize(mappings.columns().size(), std::string("no solution"));
                }
                mappings.add_row(std::move(row));
            }
        }
    }
};

class Em3d final : public Model {
  public:
    Em3d()
        : Model("logpc-em3d", "EM3D's core phase: what its messages cost the processors",
                "LoGPC (2001), section 5.3") {}

    CountInput processors{*this, "processors", "P", "Nodes of the machine", kProcessorLimits};
    QuantityInput graph_nodes{
        *this, "graph_nodes", "", "E and H nodes together", {2.0, kLargestQuantity}};
    QuantityInput degree{*this, "degree", "", "Edges of each node of the graph", kLengthLimits};
    QuantityInput nonlocal_share{
        *this, "nonlocal_share", "", "Share of edges that leave their processor", {0.0, 1.0}};
    QuantityInput values_per_message{*this, "values_per_message", "", "Values sent in one message",
                                     kLengthLimits};
    CountInput destinations{
        *this, "destinations", "", "Processors that one sends to, equally much", kWholeLimits, 1};
    CountInput iterations{*this, "iterations", "", "Iterations of the core phase", kWholeLimits, 1};
    QuantityInput work_cycles{
        *this, "work_cycles", "W", "A processor's computation in an iteration", {}, 0.0};
    QuantityInput send_overhead_cycles{*this, "send_overhead_cycles", "o_s",
                                       "The processor composes and launches"};
    QuantityInput receive_overhead_cycles{*this, "receive_overhead_cycles", "o_r",
                                          "The processor is interrupted and handles"};

    Output communication_cycles{*this, "communication_cycles", "",
                                "A processor's messages in an iteration", "Section 5.3"};
    Output messages_per_iteration{*this, "messages_per_iteration", "",
                                  "That a processor sends, and as many it receives", "Section 5.3"};
    Output values_per_iteration{*this, "values_per_iteration", "",
                                "That a processor sends, and as many it receives", "Section 5.3"};
    Output iteration_cycles{*this, "iteration_cycles", "", "Communication and work", "Section 5.3"};
    Output runtime_cycles{*this, "runtime_cycles", "", "All iterations", "Section 5.3"};
    Output communication_share{*this, "communication_share", "",
                               "Communication's share of the run time", "Section 5.3"};

  private:
    void evaluate() override {
        const Em3dCommunication em3d =
            solve_em3d_communication({.processors = static_cast<int>(processors.value()),
                                      .graph_nodes = graph_nodes.value(),
                                      .degree = degree.value(),
                                      .nonlocal_share = nonlocal_share.value(),
                                      .values_per_message = values_per_message.value(),
                                      .destinations = static_cast<int>(destinations.value()),
                                      .iterations = static_cast<int>(iterations.value()),
                                      .work_cycles = work_cycles.value(),
                                      .send_overhead_cycles = send_overhead_cycles.value(),
                                      .receive_overhead_cycles = receive_overhead_cycles.value()});
        communication_cycles = em3d.communication_cycles;
        messages_per_iteration = em3d.messages_per_iteration;
        values_per_iteration = em3d.values_per_iteration;
        iteration_cycles = em3d.iteration_cycles;
        runtime_cycles = em3d.runtime_cycles;
        communication_share = em3d.communication_share;
        note(
            "LoGPC predicts here what LogP does: nothing waits for a message. The 20 % that "
            "spreading "
            "the messages gained, and the 70 % of stalls, were measured; no equation gives them.");
        note(
            "The paper does not print the work of an iteration, nor the o_s and o_r of a message "
            "with 10 values (Table 1 ends at 2 arguments): Figure 11's run times stay open.");
    }
};

}  // namespace

void add_logpc_application_models(Models& models) {
    models.push_back(std::make_unique<LongRemap>());
    models.push_back(std::make_unique<DiamondDagModel>());
    models.push_back(std::make_unique<Em3d>());
}

}  // namespace weir::experiments::models
