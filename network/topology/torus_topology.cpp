#include "network/network_parameters.h"
#include "network/routing/routing_kind.h"
#include "network/topology/lattice.h"

namespace weir::network {

namespace {

class TorusFamily final : public TopologyFamily {
  public:
    TorusFamily()
        : TopologyFamily(
              "torus",
              "a mesh with end-around channels, so that routers form rings in each dimension",
              {"dimensions", "routing_order", "ring_classes", "ring_ties"}) {}

    [[nodiscard]] bool has_extents() const override { return true; }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return torus_topology(parameters.extents());
    }
    [[nodiscard]] std::optional<Lattice> lattice(
        const NetworkParameters& parameters) const override {
        return Lattice{parameters.extents(), true};
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const override {
        return torus_dimension_order_routing(topology, parameters.order(),
                                             {classes(parameters), parameters.ring_ties.value()});
    }
    [[nodiscard]] ChannelClasses channel_classes() const override {
        return {2,
                "a torus has two classes of virtual channels of equal size, which keep its rings "
                "deadlock-free"};
    }

    [[nodiscard]] std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const override {
        return cube_formula(topology.lattice()->extents, 4);
    }
    [[nodiscard]] Layout layout(const Topology& topology) const override {
        return grid_layout(topology, axis_name);
    }

  private:
    // Escape channels are also requested in the middle of a ring, where the switch can't tell how a
    // message came there. Only the dateline rule does not depend on the message's previous
    // channels.
    static RingClasses classes(const NetworkParameters& parameters) {
        if (parameters.virtual_channels.value() == 1) {
            return RingClasses::kNone;
        }
        return parameters.routing.value()->traits().has_escapes ? RingClasses::kDateline
                                                                : parameters.ring_classes.value();
    }
};

}  // namespace

const TopologyFamily& torus_family() {
    static const TorusFamily family;
    return family;
}

Topology torus_topology(const std::vector<std::int32_t>& extents) {
    TopologyGraph graph;
    add_lattice_routers(extents, true, graph);
    StandardCut cut = central_cut(extents, true, graph);
    add_node_at_each_switch(2 * static_cast<int>(extents.size()), graph);
    return {torus_family(),        "torus " + extents_text(extents), graph, {}, std::move(cut),
            Lattice{extents, true}};
}

}  // namespace weir::network
