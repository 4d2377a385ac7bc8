#include "network/network_plan.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <stdexcept>
#include <utility>

#include "hw/controller/controller_registers.h"
#include "network/faults/dead_channels.h"
#include "network/flit.h"
#include "network/routing/channel_dependencies.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::network {

namespace {

// Refuses a graph unless each node has exactly one channel in each direction, as its network
// interface needs.
void check_single_channels(const Topology& topology) {
    const TopologyGraph& graph = topology.graph();
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const std::size_t vertex = topology.vertex_of_node(node);
        if (out_degree(vertex, graph) != 1 || in_degree(vertex, graph) != 1) {
            throw PlanFault("network.graph_file",
                            "node " + graph[vertex].name + " has " +
                                std::to_string(out_degree(vertex, graph)) + " channels out and " +
                                std::to_string(in_degree(vertex, graph)) + " in",
                            "one each");
        }
    }
}

// The routing of the parameters on the virtual channels that it needs. If channels are missing,
// only up*/down* routing, which searches for routes, can be used.
std::unique_ptr<Routing> routing_of(const NetworkParameters& parameters, const Topology& topology) {
    const RoutingKind& kind = *parameters.routing.value();
    if (topology.is_whole()) {
        return kind.make(topology, parameters);
    }
    if (&kind != routing_kinds().front() && &kind != &up_down_routing_kind()) {
        throw PlanFault("network.routing", "does not avoid dead channels",
                        R"("up_down", or "default", which is the same then)");
    }
    return up_down_routing(topology);
}

std::unique_ptr<Routing> make_routing(const NetworkParameters& parameters,
                                      const FaultParameters& faults, const Topology& topology) {
    std::unique_ptr<Routing> routing;
    try {
        routing = routing_of(parameters, topology);
    } catch (const std::invalid_argument& fault) {
        if (topology.is_whole()) {
            throw PlanFault("network.routing", fault.what(),
                            "a graph whose channels lead both ways");
        }
        if (faults.dead_link_percent.is_given()) {
            throw PlanFault("faults.dead_link_percent", fault.what(),
                            "a topology with several paths between nodes");
        }
        throw PlanFault("faults.dead_channels", fault.what(),
                        "dead channels that leave a route between each pair of nodes");
    }
    const auto given = static_cast<int>(parameters.virtual_channels.value());
    if (given > routing->virtual_channels()) {
        return spread_over(std::move(routing), given);
    }
    return routing;
}

Fabric::Design design_of(const NetworkParameters& parameters) {
    Fabric::Design design;
    design.router_kind = parameters.router.value();
    design.router.routing_cycles = parameters.routing_cycles.value();
    design.router.vc_allocation_cycles = parameters.vc_allocation_cycles.value();
    design.router.flit_cycles = parameters.flit_cycles();
    design.router.switching = parameters.switching.value();
    design.router.arbitration = parameters.arbitration.value();
    design.router.allocator = parameters.allocator.value();
    design.router.output_binding = parameters.output_binding.value();
    design.router.reallocation = parameters.reallocation();
    design.router.escapes_last = parameters.escapes_last.value();
    design.buffer = parameters.buffer_flits.value();
    design.injection_buffer = parameters.injection_buffer_flits.value();
    design.ejection_buffer = parameters.ejection_buffer_flits.value();
    design.injection_cycles = parameters.injection_cycles.value();
    design.hop_cycles = parameters.hop_cycles.value();
    design.ejection_cycles = parameters.ejection_cycles.value();
    design.switch_allocation_cycles = parameters.switch_allocation_cycles.value();
    design.credit_cycles = parameters.credit_cycles.value();
    design.injection_credit_cycles = parameters.injection_credit_cycles.value();
    return design;
}

}  // namespace

Topology make_topology(const NetworkParameters& parameters) {
    return parameters.topology.value()->make(parameters);
}

Topology make_topology(const NetworkParameters& parameters, const FaultParameters& faults,
                       std::uint64_t seed) {
    Topology topology = make_topology(parameters);
    check_single_channels(topology);
    if (!faults.any()) {
        return topology;
    }
    check_places(faults, topology);
    return faults.leave_out_channels() ? topology.without(dead_channels_of(faults, topology, seed))
                                       : topology;
}

NetworkPlan::NetworkPlan(const NetworkParameters& parameters, const FaultParameters& faults,
                         std::uint64_t seed)
    : topology_(make_topology(parameters, faults, seed)) {
    routing_ = make_routing(parameters, faults, topology_);
    design_ = design_of(parameters);
    design_.in_one_part = !parameters.flit_by_flit.value() && !faults.any();
    design_.seed = seed;
    if (faults.dead_link_percent.is_given()) {
        const DeadlockProof proof = prove(*routing_);
        if (!proof.is_free_of_deadlock()) {
            throw PlanFault(
                "faults.dead_link_percent",
                "without the dead channels the routing is not deadlock-free: " + proof.text(),
                "another seed");
        }
    }
}

std::string DeadlockProof::text() const {
    if (!stuck_at.empty()) {
        return "its escape channels lead nowhere from " + stuck_at;
    }
    std::string text;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        text += (i == 0 ? cycle[i] + " waits for " : ", " + cycle[i] + " for ") +
                cycle[(i + 1) % cycle.size()];
    }
    return text;
}

DeadlockProof prove(const Routing& routing) {
    const ChannelDependencies dependencies(routing);
    DeadlockProof proof;
    proof.topology = routing.topology().title();
    proof.virtual_channels = routing.virtual_channels();
    proof.dependencies = dependencies.dependency_count();
    proof.stuck_at = dependencies.stuck_at();
    proof.keeps_order = !dependencies.has_choice();
    if (!dependencies.is_acyclic()) {
        proof.cycle = dependencies.cycle();
    }
    return proof;
}

namespace {

// True if all routes of equally many hops take the same time.
bool has_equal_channels(const NetworkPlan& plan) {
    const TopologyGraph& graph = plan.topology().graph();
    const std::vector<Channel> channels = channels_of(graph);
    return plan.design().router_kind->traits().turn_cycles == nullptr &&
           std::all_of(channels.begin(), channels.end(),
                       [&graph](Channel channel) { return graph[channel].cycles == 0; });
}

}  // namespace

RoutedTrips::RoutedTrips(const NetworkPlan& plan, const NetworkParameters& parameters)
    : plan_(plan),
      channels_(plan.topology()),
      flit_bytes_(parameters.flit_bytes.value()),
      tag_bytes_(parameters.tag_bytes.value()),
      routes_(plan.topology().node_count()),
      more_cycles_(has_equal_channels(plan) ? 0 : routes_.size()) {}

// Follows one route. All routes of a lot between two nodes are equally long.
RoutedTrips::FollowedRoute RoutedTrips::follow(std::size_t source_node, std::size_t destination,
                                               int lot) {
    const Topology& topology = plan_.topology();
    const TopologyGraph& graph = topology.graph();
    const Fabric::Design& design = plan_.design();
    const auto turn_cycles = design.router_kind->traits().turn_cycles;
    FollowedRoute followed;
    Route& route = followed.route;
    Channel channel = *out_edges(topology.vertex_of_node(source_node), graph).first;
    int virtual_channel = 0;
    while (true) {
        route.hops = static_cast<std::int16_t>(route.hops + (topology.is_hop(channel) ? 1 : 0));
        followed.link_cycles += design.link_cycles(topology, channel);
        if (topology.is_ejection(channel)) {
            return followed;
        }
        if (route.routers == kMostRouters) {
            throw PlanFault(
                "network.graph_file",
                "a route through more than " + std::to_string(kMostRouters) + " switches",
                "shorter routes");
        }
        ++route.routers;
        const std::size_t vertex = target(channel, graph);
        outputs_.clear();
        plan_.routing().add_outputs({vertex, graph[channel].input_port, virtual_channel, lot},
                                    destination, outputs_);
        const RoutedOutput output = outputs_.front();
        if (turn_cycles != nullptr) {
            followed.link_cycles += turn_cycles(graph[channel].input_port, output.port);
        }
        channel = channels_.channel(channels_.at_output(vertex, output.port));
        virtual_channel = output.virtual_channel;
    }
}

// Link cycles of a route whose links all have the cycles of their kind.
hw::Cycles RoutedTrips::like_link_cycles(Route route) const {
    const Fabric::Design& design = plan_.design();
    return design.injection_cycles + (route.routers - 1) * design.hop_cycles +
           design.ejection_cycles;
}

RoutedTrips::FollowedRoute RoutedTrips::route_between(std::size_t source, std::size_t destination,
                                                      int lot) {
    if (!plan_.routing().has_equal_routes()) {
        return follow(source, destination, lot);
    }
    const bool are_alike = more_cycles_.empty();
    const std::size_t first_switch = plan_.topology().switch_of_node(source);
    if (const auto hops =
            are_alike ? plan_.routing().hops_to(first_switch, destination) : std::nullopt) {
        const Route route{static_cast<std::int16_t>(*hops + 1), static_cast<std::int16_t>(*hops)};
        return {route, like_link_cycles(route)};
    }
    std::vector<Route>& routes = routes_[source];
    if (routes.empty()) {
        routes.resize(routes_.size());
        if (!are_alike) {
            more_cycles_[source].resize(routes_.size());
        }
    }
    Route& route = routes[destination];
    if (route.routers == 0) {
        const FollowedRoute followed = follow(source, destination, lot);
        route = followed.route;
        if (!are_alike) {
            more_cycles_[source][destination] =
                static_cast<std::int32_t>((followed.link_cycles - like_link_cycles(route)).count());
        }
    }
    const hw::Cycles more(are_alike ? 0 : more_cycles_[source][destination]);
    return {route, like_link_cycles(route) + more};
}

UnloadedTrip RoutedTrips::between(hw::NodeId source, hw::NodeId destination, hw::Bytes message,
                                  int lot) {
    const auto [route, link_cycles] = route_between(source.index(), destination.index(), lot);
    const Fabric::Design& design = plan_.design();
    const hw::Cycles flit = design.router.flit_cycles;
    const hw::Cycles last_part = flit - hw::Cycles(1);
    const std::int64_t header_flits =
        flits_of_message(hw::Bytes(WEIR_HEADER_BYTES), flit_bytes_, tag_bytes_).count();
    hw::Cycles in_router = design.router.routing_cycles + design.router.vc_allocation_cycles +
                           design.switch_allocation_cycles;
    if (design.router.switching == Switching::kStoreAndForward) {
        in_router += (flits_of_message(message, flit_bytes_, tag_bytes_).count() - 1) * flit;
    }
    const std::int64_t routers = route.routers;
    return {route.hops, link_cycles + routers * in_router + (routers + 1) * last_part +
                            (header_flits - 1) * flit};
}

}  // namespace weir::network
