#include "network/mesh_network.h"

#include <string>

namespace weir::network {

MeshNetwork::MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const NetworkParameters& parameters, hw::MessagePool& messages)
    : sc_module(name), domain_(domain), mesh_(parameters.extents()), trips_(parameters, mesh_) {
    connect_routers(parameters);
    connect_interfaces(parameters, messages);
}

void MeshNetwork::connect_routers(const NetworkParameters& parameters) {
    const TopologyGraph& graph = mesh_.graph();
    const auto places = std::make_shared<const LatticePlaces>(graph);
    for (std::int32_t i = 0; i < mesh_.node_count(); ++i) {
        routers_.push_back(std::make_unique<WormholeRouter>(
            ("router_" + std::to_string(i)).c_str(), domain_, mesh_.port_count(),
            RouteTable(places, mesh_, hw::NodeId(i))));
    }
    for (const auto edge : channels_of(graph)) {
        WormholeRouter& sender = *routers_[source(edge, graph)];
        WormholeRouter& receiver = *routers_[target(edge, graph)];
        FlitChannel& channel = channels_.emplace_back(
            "router_" + std::to_string(source(edge, graph)) + "." + graph[edge].direction,
            parameters.hop_cycles.value(), parameters.buffer_flits.value());
        channel.connect(sender, receiver);
        sender.connect_output(graph[edge].output_port, channel);
        receiver.connect_input(graph[edge].input_port, channel);
    }
}

void MeshNetwork::connect_interfaces(const NetworkParameters& parameters,
                                     hw::MessagePool& messages) {
    const hw::Flits buffer = parameters.buffer_flits.value();
    for (std::int32_t i = 0; i < mesh_.node_count(); ++i) {
        WormholeRouter& router = *routers_[i];
        FlitChannel& injection =
            channels_.emplace_back("router_" + std::to_string(i) + ".injection",
                                   parameters.injection_cycles.value(), buffer);
        FlitChannel& ejection = channels_.emplace_back("router_" + std::to_string(i) + ".ejection",
                                                       parameters.ejection_cycles.value(), buffer);
        interfaces_.push_back(std::make_unique<FlitInterface>(
            ("interface_" + std::to_string(i)).c_str(), domain_, hw::NodeId(i),
            parameters.flit_bytes.value(), messages, injection, ejection,
            [this](const hw::Message& message, int /*lot*/) {
                return trips_.between(message.source, message.destination);
            }));
        injection.connect(*interfaces_.back(), router);
        ejection.connect(router, *interfaces_.back());
        router.connect_input(mesh_.node_port(), injection);
        router.connect_output(mesh_.node_port(), ejection);
    }
}

std::int64_t MeshNetwork::flit_hops() const {
    std::int64_t hops = 0;
    for (const auto& router : routers_) {
        hops += router->statistics().flits_forwarded.value();
    }
    return hops;
}

hw::Flits MeshNetwork::flits_in_flight() const {
    hw::Flits in_flight;
    for (const FlitChannel& channel : channels_) {
        in_flight += channel.held();
    }
    return in_flight;
}

std::vector<FlitChannel*> MeshNetwork::all_channels() {
    std::vector<FlitChannel*> channels;
    for (FlitChannel& channel : channels_) {
        channels.push_back(&channel);
    }
    return channels;
}

void MeshNetwork::add_to(hw::ConservationAccount& account) const {
    for (const auto& interface : interfaces_) {
        interface->add_to(account);
    }
    account.flits_in_channels = flits_in_flight().count();
}

std::vector<std::string> MeshNetwork::channel_names() const { return mesh_.channel_names(); }

// Relies on connect_routers(): channels between routers come first in channels_, in the order of
// mesh_.channel_names().
std::vector<ChannelCount> MeshNetwork::channel_counts(hw::Cycles through) const {
    std::vector<ChannelCount> counts;
    for (std::size_t i = 0; i < channels_of(mesh_.graph()).size(); ++i) {
        counts.push_back({channels_[i].sent(), channels_[i].header_waits().through(through)});
    }
    return counts;
}

void MeshNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    for (const auto& router : routers_) {
        statistics.push_back({router->name(), &router->statistics()});
    }
    for (const auto& interface : interfaces_) {
        statistics.push_back({interface->name(), &interface->statistics()});
    }
}

void MeshNetwork::report_waits(hw::WaitReport& report, const CoreName& /*core_name*/) const {
    for (const auto& router : routers_) {
        router->report_waits(report);
    }
}

}  // namespace weir::network
