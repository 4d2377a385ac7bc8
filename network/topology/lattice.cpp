#include "network/topology/lattice.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>

namespace weir::network {

namespace {

constexpr const char* kCentralCut = "the central cut, proved least (Aroca and Fernandez Anta 2014)";

std::string direction_name(std::size_t dimension, bool up) {
    const std::string axis =
        dimension < 3 ? std::string(1, "xyz"[dimension]) : "d" + std::to_string(dimension);
    return (up ? "+" : "-") + axis;
}

// "(3,0)"
std::string place_name(const std::vector<std::int32_t>& coordinates) {
    std::string text;
    for (const std::int32_t coordinate : coordinates) {
        text += text.empty() ? "(" : ",";
        text += std::to_string(coordinate);
    }
    return text + ")";
}

// The first half of the nodes, ordered by the coordinate of the longest dimension, then by that of
// the next longest, and so on. What crosses it: with extents k1 >= k2 >= ..., the channels of
// k1's middle, one for each place in the other dimensions; when k1 is odd, the middle layer is cut
// in the same way, down to the first even extent. A torus is crossed twice.
StandardCut central_cut(const std::vector<std::int32_t>& extents, bool end_around,
                        const TopologyGraph& graph) {
    std::vector<std::size_t> by_length(extents.size());
    std::iota(by_length.begin(), by_length.end(), 0U);
    std::stable_sort(by_length.begin(), by_length.end(),
                     [&](std::size_t a, std::size_t b) { return extents[a] > extents[b]; });

    const auto count = static_cast<std::size_t>(
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        for (const std::size_t d : by_length) {
            if (graph[a].coordinates[d] != graph[b].coordinates[d]) {
                return graph[a].coordinates[d] < graph[b].coordinates[d];
            }
        }
        return false;
    });
    StandardCut cut{std::vector<bool>(count), 0, kCentralCut};
    for (std::size_t i = 0; i < count / 2; ++i) {
        cut.in_first_half[order[i]] = true;
    }

    std::int64_t crossing = 0;
    auto places = static_cast<std::int64_t>(count);
    for (const std::size_t d : by_length) {
        if (extents[d] == 1) {
            break;
        }
        places /= extents[d];
        crossing += places;
        if (extents[d] % 2 == 0) {
            break;
        }
    }
    cut.bisection = (end_around ? 2 : 1) * crossing;
    return cut;
}

Topology lattice_topology(const std::vector<std::int32_t>& extents, bool end_around) {
    TopologyGraph graph;
    add_lattice_routers(extents, end_around, graph);
    StandardCut cut = central_cut(extents, end_around, graph);
    add_node_at_each_switch(2 * static_cast<int>(extents.size()), graph);
    const TopologyKind kind = end_around ? TopologyKind::kTorus : TopologyKind::kMesh;
    return {
        kind, (end_around ? "torus " : "mesh ") + extents_text(extents), graph, {}, std::move(cut)};
}

}  // namespace

void add_lattice_routers(const std::vector<std::int32_t>& extents, bool end_around,
                         TopologyGraph& graph) {
    assert(num_vertices(graph) == 0);
    const auto count = static_cast<std::size_t>(
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()));
    for (std::size_t router = 0; router < count; ++router) {
        TopologyVertex vertex;
        std::size_t rest = router;
        for (const std::int32_t extent : extents) {
            vertex.coordinates.push_back(
                static_cast<std::int32_t>(rest % static_cast<std::size_t>(extent)));
            rest /= static_cast<std::size_t>(extent);
        }
        vertex.name = place_name(vertex.coordinates);
        add_vertex(vertex, graph);
    }
    std::size_t stride = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        const int up = 2 * static_cast<int>(d);
        const int down = up + 1;
        const std::size_t length = static_cast<std::size_t>(extents[d]) * stride;
        for (std::size_t router = 0; router < count; ++router) {
            const bool is_last = graph[router].coordinates[d] + 1 == extents[d];
            if (is_last && (!end_around || extents[d] == 1)) {
                continue;
            }
            // What leaves towards the higher coordinate arrives at the port that leads lower.
            const std::size_t next = is_last ? router + stride - length : router + stride;
            add_edge(router, next, {up, down, direction_name(d, true)}, graph);
            add_edge(next, router, {down, up, direction_name(d, false)}, graph);
        }
        stride = length;
    }
}

Topology mesh_topology(const std::vector<std::int32_t>& extents) {
    return lattice_topology(extents, false);
}

Topology torus_topology(const std::vector<std::int32_t>& extents) {
    return lattice_topology(extents, true);
}

Topology hypercube_topology(int dimensions) {
    TopologyGraph graph;
    const std::size_t count = std::size_t{1} << dimensions;
    for (std::size_t router = 0; router < count; ++router) {
        TopologyVertex vertex;
        for (int d = 0; d < dimensions; ++d) {
            const bool bit = (router >> d & 1U) != 0;
            vertex.coordinates.push_back(bit ? 1 : 0);
            vertex.name.insert(vertex.name.begin(), bit ? '1' : '0');
        }
        add_vertex(vertex, graph);
    }
    for (std::size_t router = 0; router < count; ++router) {
        for (int d = 0; d < dimensions; ++d) {
            add_edge(router, router ^ (std::size_t{1} << d), {d, d, "bit " + std::to_string(d)},
                     graph);
        }
    }
    const std::vector<std::int32_t> extents(static_cast<std::size_t>(dimensions), 2);
    StandardCut cut = central_cut(extents, false, graph);
    add_node_at_each_switch(dimensions, graph);
    return {TopologyKind::kHypercube,
            "hypercube of " + std::to_string(dimensions) + " dimensions",
            graph,
            {},
            std::move(cut)};
}

}  // namespace weir::network
