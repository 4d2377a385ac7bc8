#include "network/topology/fat_tree.h"

#include <algorithm>
#include <map>
#include <string>

#include "network/topology/digits.h"

namespace weir::network {

namespace {

// Folded, it is a Benes network: any permutation of the nodes has ways that share no channel. So
// each half can send to the other at full rate, and its nodes' own channels are no more than that.
// Of a thinner tree no such thing is known.
StandardCut leaves_cut(std::size_t nodes, bool is_full) {
    StandardCut cut{std::vector<bool>(nodes), std::nullopt, "nodes halved by their numbers"};
    if (is_full) {
        cut.bisection = static_cast<std::int64_t>(nodes / 2);
        cut.source = "half of the nodes' own channels: the tree passes any permutation";
    }
    for (std::size_t node = 0; node < nodes / 2; ++node) {
        cut.in_first_half[node] = true;
    }
    return cut;
}

// Channels up of each switch of a level, and the switches at the top of a subtree of that level.
struct LevelShape {
    int ups = 0;
    std::size_t tops = 1;
};

std::vector<LevelShape> shapes_of(int radix, int levels, const std::vector<std::int64_t>& ups) {
    std::vector<LevelShape> shapes;
    std::size_t tops = 1;
    for (int level = 0; level < levels; ++level) {
        const auto given = std::min(static_cast<std::size_t>(level) + 1, ups.size());
        const bool is_full = ups.empty() || ups[given - 1] == 0;
        const int up = is_full ? radix : static_cast<int>(ups[given - 1]);
        shapes.push_back({level + 1 < levels ? up : 0, tops});
        tops *= static_cast<std::size_t>(up);
    }
    return shapes;
}

std::string title_of(int radix, int levels, bool is_partial, const std::vector<LevelShape>& shapes,
                     bool is_full) {
    std::string title = std::to_string(radix) + "-ary fat tree of " + std::to_string(levels) +
                        (levels == 1 ? " level" : " levels") + (is_partial ? ", partial" : "");
    for (int level = 0; !is_full && level + 1 < levels; ++level) {
        title += (level == 0 ? ", " : " ") +
                 std::to_string(shapes[static_cast<std::size_t>(level)].ups) +
                 (level + 2 == levels ? " up" : "");
    }
    return title;
}

}  // namespace

Topology fat_tree_topology(int radix, std::int32_t nodes, const std::vector<std::int64_t>& ups) {
    const Digits digits(radix);
    const auto leaves = static_cast<std::size_t>(nodes);
    int levels = 1;
    while (digits.power(levels) < leaves) {
        ++levels;
    }
    const std::vector<LevelShape> shapes = shapes_of(radix, levels, ups);
    TopologyGraph graph;
    std::map<std::pair<int, std::size_t>, std::size_t> switches;  // level and number to vertex
    for (int level = 0; level < levels; ++level) {
        const std::size_t tops = shapes[static_cast<std::size_t>(level)].tops;
        for (std::size_t i = 0; i / tops * digits.power(level + 1) < leaves; ++i) {
            switches[{level, i}] =
                add_vertex({VertexKind::kSwitch,
                            "level " + std::to_string(level) + " switch " + std::to_string(i),
                            {level, static_cast<std::int32_t>(i)}},
                           graph);
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
        const auto [level_ups, tops] = shapes[static_cast<std::size_t>(level)];
        const std::size_t subtree = i / tops;
        const int down = digits.digit(subtree, 0);
        for (int up = 0; up < level_ups; ++up) {
            const std::size_t tops_above = tops * static_cast<std::size_t>(level_ups);
            const std::size_t number = subtree / static_cast<std::size_t>(radix) * tops_above +
                                       static_cast<std::size_t>(up) * tops + i % tops;
            const std::size_t above = switches.at({level + 1, number});
            add_edge(below, above, {radix + up, down, "up " + std::to_string(up)}, graph);
            add_edge(above, below, {down, radix + up, "down " + std::to_string(down)}, graph);
        }
    }
    const bool is_partial = leaves < digits.power(levels);
    const bool is_full = std::all_of(shapes.begin(), shapes.end() - 1,
                                     [radix](const LevelShape& s) { return s.ups == radix; });
    return {TopologyKind::kFatTree,
            title_of(radix, levels, is_partial, shapes, is_full),
            graph,
            {.injection = true, .ejection = true},
            leaves_cut(leaves, is_full)};
}

}  // namespace weir::network
