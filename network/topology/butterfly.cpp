#include "network/topology/butterfly.h"

#include <string>

#include "network/topology/digits.h"

namespace weir::network {

namespace {

// The first half of the nodes by their number: stage 0 sends half of its outputs across. Whether
// another half has fewer ways out is not known.
StandardCut first_digit_cut(std::size_t nodes) {
    StandardCut cut{std::vector<bool>(nodes), std::nullopt, "nodes halved by their numbers"};
    for (std::size_t node = 0; node < nodes / 2; ++node) {
        cut.in_first_half[node] = true;
    }
    return cut;
}

}  // namespace

Topology butterfly_topology(int radix, int stages) {
    const Digits digits(radix);
    const std::size_t rows = digits.power(stages);
    const std::size_t stage_switches = digits.power(stages - 1);
    TopologyGraph graph;
    for (int stage = 0; stage < stages; ++stage) {
        for (std::size_t i = 0; i < stage_switches; ++i) {
            add_vertex({VertexKind::kSwitch,
                        "stage " + std::to_string(stage) + " switch " + std::to_string(i),
                        {stage, static_cast<std::int32_t>(i)}},
                       graph);
        }
    }
    const std::size_t first_node = num_vertices(graph);
    for (std::size_t node = 0; node < rows; ++node) {
        add_vertex({VertexKind::kNode, "node " + std::to_string(node), {}}, graph);
    }
    // A row's switch in a stage, and its port there.
    const auto switch_of = [&](std::size_t row, int stage) {
        return static_cast<std::size_t>(stage) * stage_switches +
               digits.without(row, stages - 1 - stage);
    };
    const auto port_of = [&](std::size_t row, int stage) {
        return digits.digit(row, stages - 1 - stage);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        add_edge(first_node + row, switch_of(row, 0), {0, port_of(row, 0), "injection"}, graph);
        for (int stage = 0; stage < stages; ++stage) {
            const bool is_last = stage + 1 == stages;
            const int port = port_of(row, stage);
            const ChannelEdge channel{port, is_last ? 0 : port_of(row, stage + 1),
                                      "to " + std::to_string(port)};
            add_edge(switch_of(row, stage), is_last ? first_node + row : switch_of(row, stage + 1),
                     channel, graph);
        }
    }
    return {TopologyKind::kButterfly,
            std::to_string(radix) + "-ary " + std::to_string(stages) + "-fly butterfly",
            graph,
            {.injection = false, .ejection = true},
            first_digit_cut(rows)};
}

}  // namespace weir::network
