#include "experiments/commands/distance_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::experiments::commands {

namespace {

using models::NetworkTopology;
using network::Topology;
using network::TopologyKind;

// "3/4 P^(1/3)": a node's mean distance in each dimension is its extent / parts.
std::string lattice_text(std::size_t dimensions, std::size_t parts) {
    if (dimensions == 1) {
        return fmt::format("P/{}", parts);
    }
    std::string root = fmt::format("P^(1/{})", dimensions);
    if (dimensions == parts) {
        return root;
    }
    const bool is_half = 2 * dimensions == parts;
    return is_half ? "1/2 " + root : fmt::format("{}/{} {}", dimensions, parts, root);
}

std::optional<DistanceFormula> of_lattice(const Topology& topology, std::size_t parts) {
    const std::vector<std::int32_t>& last =
        topology.graph()[topology.switch_count() - 1].coordinates;
    if (std::any_of(last.begin(), last.end(), [&](std::int32_t at) { return at != last[0]; })) {
        return std::nullopt;
    }
    return DistanceFormula{
        lattice_text(last.size(), parts),
        static_cast<double>(last.size()) * (last[0] + 1.0) / static_cast<double>(parts)};
}

// Stages are counted in the switches' first coordinate.
DistanceFormula of_butterfly(const Topology& topology) {
    const double stages = topology.graph()[topology.switch_count() - 1].coordinates[0] + 1.0;
    const auto nodes = static_cast<double>(topology.node_count());
    return {fmt::format("log{}(P)", std::lround(std::pow(nodes, 1.0 / stages))), stages};
}

// A switch has as many channels up as the tree's arity; nothing for a single level.
std::optional<DistanceFormula> of_fat_tree(const Topology& topology) {
    const network::TopologyGraph& graph = topology.graph();
    std::int64_t arity = 0;
    for (const network::Channel channel : boost::make_iterator_range(out_edges(0, graph))) {
        arity += graph[channel].direction.starts_with("up") ? 1 : 0;
    }
    if (arity < 2) {
        return std::nullopt;
    }
    const double levels =
        std::log(static_cast<double>(topology.node_count())) / std::log(static_cast<double>(arity));
    const double less = 2.0 / static_cast<double>(arity - 1);
    return DistanceFormula{
        arity == 3 ? "2 log3(P) - 1" : fmt::format("2 log{}(P) - 2/{}", arity, arity - 1),
        2.0 * levels - less};
}

}  // namespace

std::optional<DistanceFormula> distance_formula(const Topology& topology) {
    switch (topology.kind()) {
        case TopologyKind::kMesh:
            return of_lattice(topology, 3);
        case TopologyKind::kTorus:
            return of_lattice(topology, 4);
        case TopologyKind::kHypercube:
            return DistanceFormula{
                formula_text(NetworkTopology::kHypercube),
                models::asymptotic_network_distance(
                    NetworkTopology::kHypercube, static_cast<std::int64_t>(topology.node_count()))};
        case TopologyKind::kButterfly:
            return of_butterfly(topology);
        case TopologyKind::kFatTree:
            return of_fat_tree(topology);
        case TopologyKind::kGraph:
            break;
    }
    return std::nullopt;
}

std::string formula_text(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
            return "1/2 log2(P)";
        case NetworkTopology::kButterfly:
            return "log2(P)";
        case NetworkTopology::kFatTree:
            return "2 log4(P) - 2/3";
        case NetworkTopology::kTorus3d:
            return lattice_text(3, 4);
        case NetworkTopology::kMesh3d:
            return lattice_text(3, 3);
        case NetworkTopology::kTorus2d:
            return lattice_text(2, 4);
        case NetworkTopology::kMesh2d:
            break;
    }
    return lattice_text(2, 3);
}

double printed_distance(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
            return 5.0;
        case NetworkTopology::kButterfly:
        case NetworkTopology::kMesh3d:
            return 10.0;
        case NetworkTopology::kFatTree:
            return 9.33;
        case NetworkTopology::kTorus3d:
            return 7.5;
        case NetworkTopology::kTorus2d:
            return 16.0;
        case NetworkTopology::kMesh2d:
            break;
    }
    return 21.0;
}

}  // namespace weir::experiments::commands
