#include "network/topology/fat_tree.h"

#include <map>
#include <string>

#include "network/topology/digits.h"

namespace weir::network {

namespace {

// Folded, it is a Benes network: any permutation of the nodes has ways that share no channel. So
// each half can send to the other at full rate, and its nodes' own channels are no more than that.
StandardCut leaves_cut(std::size_t nodes) {
    StandardCut cut{std::vector<bool>(nodes), static_cast<std::int64_t>(nodes / 2),
                    "half of the nodes' own channels: the tree passes any permutation"};
    for (std::size_t node = 0; node < nodes / 2; ++node) {
        cut.in_first_half[node] = true;
    }
    return cut;
}

}  // namespace

Topology fat_tree_topology(int radix, std::int32_t nodes) {
    const Digits digits(radix);
    const auto leaves = static_cast<std::size_t>(nodes);
    int levels = 1;
    while (digits.power(levels) < leaves) {
        ++levels;
    }
    TopologyGraph graph;
    std::map<std::pair<int, std::size_t>, std::size_t> switches;  // level and number to vertex
    for (int level = 0; level < levels; ++level) {
        for (std::size_t i = 0; i < digits.power(levels - 1); ++i) {
            const std::size_t first_leaf = i / digits.power(level) * digits.power(level + 1);
            if (first_leaf < leaves) {
                switches[{level, i}] =
                    add_vertex({VertexKind::kSwitch,
                                "level " + std::to_string(level) + " switch " + std::to_string(i),
                                {level, static_cast<std::int32_t>(i)}},
                               graph);
            }
        }
    }
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        const std::size_t node =
            add_vertex({VertexKind::kNode, "node " + std::to_string(leaf), {}}, graph);
        const std::size_t above = switches.at({0, leaf / static_cast<std::size_t>(radix)});
        const int port = digits.digit(leaf, 0);
        add_edge(node, above, {0, port, "injection"}, graph);
        add_edge(above, node, {port, 0, "down " + std::to_string(port)}, graph);
    }
    for (const auto& [place, below] : switches) {
        const auto [level, i] = place;
        for (int up = 0; level + 1 < levels && up < radix; ++up) {
            const std::size_t above = switches.at({level + 1, digits.with(i, level, up)});
            const int down = digits.digit(i, level);
            add_edge(below, above, {radix + up, down, "up " + std::to_string(up)}, graph);
            add_edge(above, below, {down, radix + up, "down " + std::to_string(down)}, graph);
        }
    }
    const bool is_partial = leaves < digits.power(levels);
    return {TopologyKind::kFatTree,
            std::to_string(radix) + "-ary fat tree of " + std::to_string(levels) +
                (levels == 1 ? " level" : " levels") + (is_partial ? ", partial" : ""),
            graph,
            {.injection = true, .ejection = true},
            leaves_cut(leaves)};
}

}  // namespace weir::network
