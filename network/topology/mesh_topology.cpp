#include "network/network_parameters.h"
#include "network/topology/lattice.h"

namespace weir::network {

namespace {

class MeshFamily final : public TopologyFamily {
  public:
    MeshFamily()
        : TopologyFamily("mesh", "one router per node in a grid, connected to its neighbours",
                         {"dimensions", "routing_order"}) {}

    [[nodiscard]] bool has_extents() const override { return true; }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return mesh_topology(parameters.extents());
    }
    [[nodiscard]] std::optional<Lattice> lattice(
        const NetworkParameters& parameters) const override {
        return Lattice{parameters.extents()};
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const override {
        return dimension_order_routing(topology, parameters.order());
    }

    [[nodiscard]] std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const override {
        return cube_formula(topology.lattice()->extents, 3);
    }
    [[nodiscard]] Layout layout(const Topology& topology) const override {
        return grid_layout(topology, axis_name);
    }
};

}  // namespace

const TopologyFamily& mesh_family() {
    static const MeshFamily family;
    return family;
}

bool is_mesh_family(const TopologyFamily& family) { return &family == &mesh_family(); }

Topology mesh_topology(const std::vector<std::int32_t>& extents) {
    TopologyGraph graph;
    add_lattice_routers(extents, false, graph);
    StandardCut cut = central_cut(extents, false, graph);
    add_node_at_each_switch(2 * static_cast<int>(extents.size()), graph);
    return {mesh_family(),   "mesh " + extents_text(extents), graph, {}, std::move(cut),
            Lattice{extents}};
}

}  // namespace weir::network
