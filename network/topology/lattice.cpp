#include "network/topology/lattice.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>

#include "network/topology/lattice_places.h"

namespace weir::network {

namespace {

constexpr const char* kCentralCut = "the central cut, proved least (Aroca and Fernandez Anta 2014)";

// Distance of a bent channel's control points from the straight line. kAround is for end-around
// channels in the first two dimensions. kBends are for dimensions 2 and 3, for 4 and 5, and from 6
// on.
constexpr double kAround = 20.0;
constexpr std::array<double, 3> kBends = {15.0, 21.0, 27.0};

std::string direction_name(std::size_t dimension, bool up) {
    return (up ? "+" : "-") + axis_name(dimension);
}

}  // namespace

std::string place_name(const std::vector<std::int32_t>& coordinates) {
    std::string text;
    for (const std::int32_t coordinate : coordinates) {
        text += text.empty() ? "(" : ",";
        text += std::to_string(coordinate);
    }
    return text + ")";
}

// Channels that cross the cut, for extents k1 >= k2 >= ...: those in the middle of k1, one for each
// position in the other dimensions. If k1 is odd, its middle layer is cut in the same way, down to
// the first even extent. In a torus the number of crossing channels is double.
StandardCut central_cut(const std::vector<std::int32_t>& extents, bool end_around,
                        const TopologyGraph& graph) {
    std::vector<std::size_t> by_length(extents.size());
    std::iota(by_length.begin(), by_length.end(), 0U);
    std::stable_sort(by_length.begin(), by_length.end(),
                     [&](std::size_t a, std::size_t b) { return extents[a] > extents[b]; });

    const std::size_t count =
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
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

void add_lattice_routers(const std::vector<std::int32_t>& extents, bool end_around,
                         TopologyGraph& graph) {
    assert(num_vertices(graph) == 0);
    const std::size_t count =
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    for (std::size_t router = 0; router < count; ++router) {
        TopologyVertex vertex;
        std::size_t rest = router;
        for (const std::int32_t extent : extents) {
            vertex.coordinates.push_back(static_cast<std::int32_t>(rest % extent));
            rest /= extent;
        }
        vertex.name = place_name(vertex.coordinates);
        add_vertex(vertex, graph);
    }
    std::size_t stride = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        const int up = static_cast<int>(lattice_port(d, true));
        const int down = static_cast<int>(lattice_port(d, false));
        const std::size_t length = extents[d] * stride;
        for (std::size_t router = 0; router < count; ++router) {
            const bool is_last = graph[router].coordinates[d] + 1 == extents[d];
            if (is_last && (!end_around || extents[d] == 1)) {
                continue;
            }
            // A channel out of the upward port ends at the next router's downward port.
            const std::size_t next = is_last ? router + stride - length : router + stride;
            add_edge(router, next, {up, down, direction_name(d, true)}, graph);
            add_edge(next, router, {down, up, direction_name(d, false)}, graph);
        }
        stride = length;
    }
}

std::string axis_name(std::size_t dimension) {
    return dimension < 3 ? std::string(1, "xyz"[dimension]) : "d" + std::to_string(dimension);
}

std::optional<DistanceFormula> cube_formula(const std::vector<std::int32_t>& extents,
                                            std::size_t parts) {
    if (std::any_of(extents.begin(), extents.end(),
                    [&](std::int32_t extent) { return extent != extents[0]; })) {
        return std::nullopt;
    }
    const std::size_t dimensions = extents.size();
    const std::string root = "P^(1/" + std::to_string(dimensions) + ")";
    std::string text;
    if (dimensions == 1) {
        text = "P/" + std::to_string(parts);
    } else if (dimensions == parts) {
        text = root;
    } else if (2 * dimensions == parts) {
        text = "1/2 " + root;
    } else {
        text = std::to_string(dimensions) + "/" + std::to_string(parts) + " " + root;
    }
    return DistanceFormula{
        text, static_cast<double>(dimensions) * extents[0] / static_cast<double>(parts),
        kLogpFormulas};
}

Layout grid_layout(const Topology& topology,
                   const std::function<std::string(std::size_t)>& name_of) {
    const TopologyGraph& graph = topology.graph();
    const Lattice& lattice = *topology.lattice();
    std::vector<double> pitch;
    for (std::size_t d = 0; d < lattice.extents.size(); ++d) {
        // A step in dimension d spans the whole grid of dimension d - 2.
        pitch.push_back(d < 2 ? Layout::kPitch
                              : pitch[d - 2] * lattice.extents[d - 2] + Layout::kPitch / 2);
    }
    const auto place = [&](std::size_t router) {
        Layout::Place at;
        for (std::size_t d = 0; d < pitch.size(); ++d) {
            (d % 2 == 0 ? at.x : at.y) += pitch[d] * graph[router].coordinates[d];
        }
        return at;
    };
    Layout layout;
    for (const Channel channel : channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        const int port = graph[channel].output_port;
        // The two channels of a pair are drawn as one line.
        const bool is_first = lattice.ports_a_dimension == 1 ? from < to : port % 2 == 0;
        if (!topology.is_hop(channel) || !is_first) {
            continue;
        }
        const std::size_t dimension = port / lattice.ports_a_dimension;
        const double around = to < from ? kAround : 0.0;
        const double bend =
            dimension < 2 ? around : kBends[std::min(dimension / 2 - 1, kBends.size() - 1)];
        layout.lines.push_back({place(from), place(to), bend, false, dimension});
    }
    for (std::size_t router = 0; router < topology.switch_count(); ++router) {
        layout.marks.push_back({place(router), router,
                                node_name(topology, router) + ", router " + graph[router].name});
        layout.places.push_back(place(router));
    }
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        layout.places.push_back(place(node));  // position of the node's router
    }
    for (std::size_t d = 0; d < lattice.extents.size(); ++d) {
        if (lattice.extents[d] > 1) {
            layout.legend.emplace_back(name_of(d), d);
        }
    }
    return layout;
}

}  // namespace weir::network
