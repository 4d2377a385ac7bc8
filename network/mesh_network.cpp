#include "network/mesh_network.h"

#include <boost/range/iterator_range.hpp>
#include <string>

namespace weir::network {

namespace {

constexpr std::int64_t kMostNodes = 65'536;  // what the header word's destination field can name

std::vector<std::int32_t> extents_of(const NetworkParameters& parameters) {
    std::vector<std::int32_t> extents;
    for (const std::int64_t extent : parameters.dimensions.value()) {
        extents.push_back(static_cast<std::int32_t>(extent));
    }
    return extents;
}

}  // namespace

std::int64_t NetworkParameters::node_count() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : dimensions.value()) {
        count = std::min(count * extent, kMostNodes + 1);
    }
    return count;
}

std::optional<hw::ParameterGroup::Fault> NetworkParameters::check() const {
    if (dimensions.value().size() > 8) {
        return Fault{"dimensions", "has more than 8 dimensions; accepted: 1 to 8"};
    }
    if (node_count() > kMostNodes) {
        return Fault{"dimensions", "makes more than 65536 nodes; accepted: 2 to 65536 in all"};
    }
    if (node_count() < 2) {
        return Fault{"dimensions", "makes a single node; accepted: 2 to 65536 nodes in all"};
    }
    return std::nullopt;
}

MeshNetwork::MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const NetworkParameters& parameters, hw::MessagePool& messages)
    : sc_module(name),
      mesh_(extents_of(parameters)),
      distances_(mesh_.distances()),
      hop_cycles_(parameters.hop_cycles.value()),
      edge_cycles_(parameters.injection_cycles.value() + parameters.ejection_cycles.value()),
      header_flits_(hw::flits_of(hw::Bytes(WEIR_HEADER_BYTES), parameters.flit_bytes.value())) {
    const TopologyGraph& graph = mesh_.graph();
    const hw::Flits buffer = parameters.buffer_flits.value();
    for (std::int32_t i = 0; i < mesh_.node_count(); ++i) {
        routers_.push_back(std::make_unique<WormholeRouter>(
            ("router_" + std::to_string(i)).c_str(), domain, mesh_.port_count(),
            mesh_.dimension_order_routes(hw::NodeId(i))));
    }
    for (const auto edge : boost::make_iterator_range(edges(graph))) {
        WormholeRouter& sender = *routers_[source(edge, graph)];
        WormholeRouter& receiver = *routers_[target(edge, graph)];
        FlitChannel& channel = channels_.emplace_back(
            "router_" + std::to_string(source(edge, graph)) + "." + graph[edge].direction,
            hop_cycles_, buffer);
        channel.connect(sender, receiver);
        sender.connect_output(graph[edge].output_port, channel);
        receiver.connect_input(graph[edge].input_port, channel);
    }
    for (std::int32_t i = 0; i < mesh_.node_count(); ++i) {
        WormholeRouter& router = *routers_[static_cast<std::size_t>(i)];
        FlitChannel& injection =
            channels_.emplace_back("router_" + std::to_string(i) + ".injection",
                                   parameters.injection_cycles.value(), buffer);
        FlitChannel& ejection = channels_.emplace_back("router_" + std::to_string(i) + ".ejection",
                                                       parameters.ejection_cycles.value(), buffer);
        interfaces_.push_back(std::make_unique<NetworkInterface>(
            ("interface_" + std::to_string(i)).c_str(), domain, hw::NodeId(i),
            parameters.flit_bytes.value(), messages, injection, ejection,
            [this](const hw::Message& message) {
                return unloaded_trip(message.source, message.destination);
            }));
        injection.connect(*interfaces_.back(), router);
        ejection.connect(router, *interfaces_.back());
        router.connect_input(mesh_.node_port(), injection);
        router.connect_output(mesh_.node_port(), ejection);
    }
}

NetworkInterface::UnloadedTrip MeshNetwork::unloaded_trip(hw::NodeId source,
                                                          hw::NodeId destination) const {
    const std::int32_t hops = distances_[static_cast<std::size_t>(source.index())]
                                        [static_cast<std::size_t>(destination.index())];
    return {hops, edge_cycles_ + hops * hop_cycles_ + hw::Cycles(header_flits_.count() - 1)};
}

hw::Flits MeshNetwork::flits_in_flight() const {
    hw::Flits in_flight;
    for (const FlitChannel& channel : channels_) {
        in_flight += channel.held();
    }
    return in_flight;
}

void MeshNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    for (const auto& router : routers_) {
        statistics.push_back({router->name(), &router->statistics()});
    }
    for (const auto& interface : interfaces_) {
        statistics.push_back({interface->name(), &interface->statistics()});
    }
}

void MeshNetwork::report_waits(hw::WaitReport& report) const {
    for (const auto& router : routers_) {
        router->report_waits(report);
    }
}

}  // namespace weir::network
