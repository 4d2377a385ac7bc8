#include <bit>
#include <cmath>
#include <cstddef>

#include "network/network_parameters.h"
#include "network/topology/lattice.h"

namespace weir::network {

namespace {

Lattice bits_lattice(int dimensions) {
    return {std::vector<std::int32_t>(dimensions, 2), false, 1};
}

int bits_of(const NetworkParameters& parameters) {
    return std::countr_zero(static_cast<std::uint64_t>(parameters.node_count()));
}

class HypercubeFamily final : public TopologyFamily {
  public:
    HypercubeFamily()
        : TopologyFamily(
              "hypercube",
              "one router per node, connected to the routers whose numbers differ in one bit",
              {"dimensions"}) {}

    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        const std::int64_t nodes = parameters.node_count();
        if (std::has_single_bit(static_cast<std::uint64_t>(nodes))) {
            return std::nullopt;
        }
        return hw::ParameterGroup::Fault{
            "dimensions", "makes " + std::to_string(nodes) + " nodes, which is no hypercube",
            "extents whose product is a power of 2"};
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return hypercube_topology(bits_of(parameters));
    }
    [[nodiscard]] std::optional<Lattice> lattice(
        const NetworkParameters& parameters) const override {
        return bits_lattice(bits_of(parameters));
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return e_cube_routing(topology);
    }

    [[nodiscard]] std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const override {
        return DistanceFormula{"1/2 log2(P)",
                               std::log2(static_cast<double>(topology.node_count())) / 2.0,
                               kLogpFormulas};
    }
    [[nodiscard]] Layout layout(const Topology& topology) const override {
        return grid_layout(topology, [](std::size_t d) { return "bit " + std::to_string(d); });
    }
};

}  // namespace

const TopologyFamily& hypercube_family() {
    static const HypercubeFamily family;
    return family;
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
    const Lattice lattice = bits_lattice(dimensions);
    StandardCut cut = central_cut(lattice.extents, false, graph);
    add_node_at_each_switch(dimensions, graph);
    return {hypercube_family(),
            "hypercube of " + std::to_string(dimensions) + " dimensions",
            graph,
            {},
            std::move(cut),
            lattice};
}

}  // namespace weir::network
