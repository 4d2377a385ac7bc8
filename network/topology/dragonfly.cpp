#include "network/topology/dragonfly.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "network/network_parameters.h"

namespace weir::network {

namespace {

// Switches and ports at the ends of channels, from the numbers of groups and of routers in groups.
class Wiring {
  public:
    explicit Wiring(const DragonflyShape& shape) : shape_(shape) {}

    [[nodiscard]] std::size_t switch_at(std::int32_t group, std::int32_t router) const {
        return static_cast<std::size_t>(group) * shape_.routers + router;
    }
    [[nodiscard]] int local_port(std::int32_t from, std::int32_t to) const {
        return shape_.terminals + (to < from ? to : to - 1);
    }
    /// Number of a group's global channel to another group.
    [[nodiscard]] static std::int32_t global_channel(std::int32_t group, std::int32_t other) {
        return other < group ? other : other - 1;
    }
    [[nodiscard]] std::int32_t router_of(std::int32_t global_channel) const {
        return global_channel / shape_.global_channels();
    }
    [[nodiscard]] int global_port(std::int32_t global_channel) const {
        return shape_.terminals + shape_.routers - 1 + global_channel % shape_.global_channels();
    }

  private:
    DragonflyShape shape_;
};

// The last switch's coordinates give the numbers of groups and routers.
DragonflyShape shape_of(const Topology& dragonfly) {
    const std::size_t switches = dragonfly.switch_count();
    const std::vector<std::int32_t>& last = dragonfly.graph()[switches - 1].coordinates;
    return {static_cast<std::int32_t>(dragonfly.node_count() / switches), last[1] + 1, last[0] + 1,
            0};
}

class DragonflyRouting final : public Routing {
  public:
    DragonflyRouting(const Topology& dragonfly, int virtual_channels)
        : Routing(dragonfly), places_(dragonfly), virtual_channels_(virtual_channels) {}

    [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: a terminal of this router, another router of the group, or another
    // group.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        const DragonflyShape& shape = places_.shape();
        const std::int32_t ways = shape.terminals + shape.routers + shape.groups;
        return ways;
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const DragonflyPlaces::Place& here = places_.of_router(vertex);
        const DragonflyPlaces::Place& there = places_.of_node(destination);
        std::int32_t way = there.terminal;
        if (here.group != there.group) {
            way = places_.shape().terminals + places_.shape().routers + there.group;
        } else if (here.router != there.router) {
            way = places_.shape().terminals + there.router;
        }
        return way;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const DragonflyPlaces::Place& here = places_.of_router(place.vertex);
        const DragonflyPlaces::Place& there = places_.of_node(destination);
        if (here.group != there.group) {
            outputs.push_back({places_.port_to_group(here, there.group), 0});
            return;
        }
        outputs.push_back({places_.port_to_node(here, there),
                           here.router == there.router ? 0 : virtual_channels_ - 1});
    }

  private:
    DragonflyPlaces places_;
    int virtual_channels_;
};

DragonflyShape shape_of(const NetworkParameters& parameters) {
    const std::vector<std::int32_t> extents = parameters.extents();
    return {extents[0], extents[1], extents[2],
            static_cast<std::int32_t>(parameters.global_hop_cycles.value().count())};
}

class DragonflyFamily final : public TopologyFamily {
  public:
    DragonflyFamily()
        : TopologyFamily(
              "dragonfly",
              "groups of fully connected routers: dimensions = [nodes per router, routers "
              "per group, groups] (Kim et al. 2008)",
              {"dimensions", "global_hop_cycles"}) {}

    [[nodiscard]] bool has_extents() const override { return true; }
    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        const std::vector<std::int64_t>& extents = parameters.dimensions.value();
        if (extents.size() != 3 || extents[2] < 2) {
            return hw::ParameterGroup::Fault{
                parameters.dimensions.name(), "does not describe a dragonfly",
                "[nodes per router, routers per group, groups], with at least 2 groups"};
        }
        return std::nullopt;
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return dragonfly_topology(shape_of(parameters));
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const override {
        return dragonfly_minimal_routing(topology,
                                         parameters.virtual_channels.value() == 1 ? 1 : 2);
    }
    [[nodiscard]] ChannelClasses channel_classes() const override {
        return {2,
                "a dragonfly has two classes of virtual channels of equal size, before and "
                "after its global channels"};
    }
};

}  // namespace

DragonflyPlaces::DragonflyPlaces(const Topology& dragonfly) : shape_(shape_of(dragonfly)) {
    const auto nodes = static_cast<std::int32_t>(dragonfly.node_count());
    for (std::int32_t node = 0; node < nodes; ++node) {
        const std::int32_t router = node / shape_.terminals;
        places_.push_back(
            {router / shape_.routers, router % shape_.routers, node % shape_.terminals});
    }
}

std::int32_t DragonflyPlaces::gateway(std::int32_t group, std::int32_t other) const {
    return Wiring(shape_).router_of(Wiring::global_channel(group, other));
}

int DragonflyPlaces::port_to_node(const Place& router, const Place& node) const {
    return router.router == node.router ? node.terminal
                                        : Wiring(shape_).local_port(router.router, node.router);
}

int DragonflyPlaces::port_to_group(const Place& router, std::int32_t group) const {
    const Wiring wiring(shape_);
    const std::int32_t channel = Wiring::global_channel(router.group, group);
    const std::int32_t gateway = wiring.router_of(channel);
    return router.router == gateway ? wiring.global_port(channel)
                                    : wiring.local_port(router.router, gateway);
}

const TopologyFamily& dragonfly_family() {
    static const DragonflyFamily family;
    return family;
}

Topology dragonfly_topology(const DragonflyShape& shape) {
    const Wiring wiring(shape);
    TopologyGraph graph;
    for (std::int32_t group = 0; group < shape.groups; ++group) {
        for (std::int32_t router = 0; router < shape.routers; ++router) {
            add_vertex({VertexKind::kSwitch,
                        "group " + std::to_string(group) + " router " + std::to_string(router),
                        {group, router}},
                       graph);
        }
    }
    const std::size_t switches = num_vertices(graph);
    for (std::size_t at = 0; at < switches; ++at) {
        for (std::int32_t port = 0; port < shape.terminals; ++port) {
            const std::size_t node = add_vertex(
                {VertexKind::kNode, "node " + std::to_string(num_vertices(graph) - switches), {}},
                graph);
            add_edge(node, at, {0, port, "injection"}, graph);
            add_edge(at, node, {port, 0, "down " + std::to_string(port)}, graph);
        }
    }
    for (std::int32_t group = 0; group < shape.groups; ++group) {
        for (std::int32_t from = 0; from < shape.routers; ++from) {
            for (std::int32_t to = 0; to < shape.routers; ++to) {
                if (to != from) {
                    add_edge(wiring.switch_at(group, from), wiring.switch_at(group, to),
                             {wiring.local_port(from, to), wiring.local_port(to, from),
                              "local " + std::to_string(to)},
                             graph);
                }
            }
        }
        for (std::int32_t other = 0; other < shape.groups; ++other) {
            if (other != group) {
                const std::int32_t out = Wiring::global_channel(group, other);
                const std::int32_t back = Wiring::global_channel(other, group);
                add_edge(wiring.switch_at(group, wiring.router_of(out)),
                         wiring.switch_at(other, wiring.router_of(back)),
                         {wiring.global_port(out), wiring.global_port(back),
                          "global " + std::to_string(out), shape.global_cycles},
                         graph);
            }
        }
    }
    const std::string title = "dragonfly of " + std::to_string(shape.groups) + " groups of " +
                              std::to_string(shape.routers) + " routers, " +
                              std::to_string(shape.terminals) + " nodes and " +
                              std::to_string(shape.global_channels()) + " global channels each";
    const std::size_t nodes = num_vertices(graph) - switches;
    return {dragonfly_family(),
            title,
            graph,
            {.injection = true, .ejection = true},
            halves_by_number(nodes)};
}

std::unique_ptr<Routing> dragonfly_minimal_routing(const Topology& dragonfly,
                                                   int virtual_channels) {
    assert(&dragonfly.family() == &dragonfly_family());
    return std::make_unique<DragonflyRouting>(dragonfly, virtual_channels);
}

}  // namespace weir::network
