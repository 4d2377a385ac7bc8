#include "network/traffic/packet_network.h"

#include <utility>

#include "network/network.h"

namespace weir::network {

// --- Flit by flit -------------------------------------------------------------------------------

FabricPacketNetwork::FabricPacketNetwork(const std::string& name, hw::ClockDomain& domain,
                                         const Routing& routing, const Fabric::Design& design)
    : PacketNetwork(routing, design),
      domain_(domain),
      fabric_(name.c_str(), domain, routing, design) {}

void FabricPacketNetwork::add_endpoints(const Traffic& traffic) {
    fabric_.count_passed_in(traffic.record.routers_passed());
    fabric_.set_generation(
        [&packets = traffic.packets](hw::MessageSlot packet) { return packets[packet].generated; });
    for (std::int32_t i = 0; i < node_count(); ++i) {
        const hw::NodeId node(i);
        const std::string name = "endpoint_" + std::to_string(i) + traffic.of_copy;
        if (fabric_.has_virtual_channel_ends()) {
            virtual_channel_endpoints_.push_back(std::make_unique<VirtualChannelEndpoint>(
                name.c_str(), domain_, node, fabric_.virtual_channel_routers(),
                fabric_.virtual_channels_of(node),
                VirtualChannelEndpoint::Rules{traffic.interleave_packets,
                                              traffic.await_tail_credit},
                fabric_.lots_of(node), traffic.make_source(node), traffic.packets, traffic.record));
            continue;
        }
        const Fabric::InterfaceChannels& vcs = fabric_.interface_channels(node);
        endpoints_.push_back(std::make_unique<TrafficEndpoint>(
            name.c_str(), domain_, node,
            TrafficEndpoint::VirtualChannels{
                vcs.injection, vcs.ejection, design().router.flit_cycles,
                traffic.interleave_packets, fabric_.lots_of(node), traffic.await_tail_credit},
            traffic.make_source(node), traffic.packets, traffic.record));
        fabric_.connect_end(node, *endpoints_.back());
    }
}

void FabricPacketNetwork::offer(hw::NodeId node, const GeneratedPacket& packet) {
    if (endpoints_.empty()) {
        virtual_channel_endpoints_[node.index()]->offer(packet);
    } else {
        endpoints_[node.index()]->offer(packet);
    }
}

std::size_t FabricPacketNetwork::queued() const {
    std::size_t queued = 0;
    for (const auto& endpoint : virtual_channel_endpoints_) {
        queued += endpoint->queued();
    }
    for (const auto& endpoint : endpoints_) {
        queued += endpoint->queued();
    }
    return queued;
}

hw::Flits FabricPacketNetwork::flits_in_flight() const {
    hw::Flits flits = fabric_.flits_in_flight();
    for (const auto& endpoint : virtual_channel_endpoints_) {
        flits += hw::Flits(endpoint->ahead(domain_.now()));
    }
    return flits;
}

std::vector<ChannelCount> FabricPacketNetwork::channel_counts(hw::Cycles through) const {
    return fabric_.channel_counts(through);
}

void FabricPacketNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    fabric_.add_statistics(statistics);
}

void FabricPacketNetwork::report_waits(hw::WaitReport& report) const {
    for (const auto& endpoint : endpoints_) {
        endpoint->report_waits(report);
    }
    for (const auto& endpoint : virtual_channel_endpoints_) {
        endpoint->report_waits(report);
    }
    fabric_.report_waits(report);
}

// --- Worm by worm -------------------------------------------------------------------------------

bool WormPacketNetwork::takes(const NetworkParameters& parameters, const FaultParameters& faults) {
    return runs_worm_by_worm(parameters, faults);
}

WormPacketNetwork::WormPacketNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                     const Routing& routing, const Fabric::Design& design)
    : sc_module(name),
      PacketNetwork(routing, design),
      domain_(domain),
      mesh_(topology().lattice()->extents),
      fabric_(domain, mesh_,
              {design.injection_cycles, design.hop_cycles, design.ejection_cycles, design.buffer},
              {0, topology().node_count()}) {
    fabric_.let_clock_jump();
    const TopologyGraph& graph = topology().graph();
    const std::size_t switches = topology().switch_count();
    for (const auto edge : channels_of(graph)) {
        const std::size_t from = source(edge, graph);
        const std::size_t number =
            topology().is_injection(edge)
                ? fabric_.injection_channel(hw::NodeId(static_cast<std::int32_t>(from - switches)))
                : fabric_.output_channel(from, graph[edge].output_port);
        channels_.push_back(&fabric_.channel(number));
    }
    for (std::size_t i = 0; i < switches; ++i) {
        routers_.push_back(
            std::make_unique<CountedRouter>(("router_" + std::to_string(i)).c_str()));
    }
}

void WormPacketNetwork::add_endpoints(const Traffic& traffic) {
    for (std::int32_t i = 0; i < node_count(); ++i) {
        const hw::NodeId node(i);
        endpoints_.push_back(std::make_unique<WormEndpoint>(
            fabric_, node, traffic.await_tail_credit, traffic.make_source(node), traffic.packets,
            traffic.record));
    }
}

void WormPacketNetwork::offer(hw::NodeId node, const GeneratedPacket& packet) {
    endpoints_[node.index()]->offer(packet);
}

void WormPacketNetwork::generate_before(hw::Cycles cycle) {
    for (const auto& endpoint : endpoints_) {
        endpoint->generate_before(cycle);
    }
}

std::size_t WormPacketNetwork::queued() const {
    std::size_t queued = 0;
    for (const auto& endpoint : endpoints_) {
        queued += endpoint->queued();
    }
    return queued;
}

hw::Flits WormPacketNetwork::flits_in_flight() const {
    std::int64_t flits = 0;
    for (const WormFabric::Channel* channel : channels_) {
        flits += channel->sent.count() - channel->taken.count();
    }
    return hw::Flits(flits);
}

std::vector<ChannelCount> WormPacketNetwork::channel_counts(hw::Cycles through) const {
    std::vector<ChannelCount> counts;
    counts.reserve(channels_.size());
    for (const WormFabric::Channel* channel : channels_) {
        counts.push_back({hw::Flits(channel->sent.count_through(through)),
                          channel->header_waits.through(through)});
    }
    return counts;
}

void WormPacketNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    for (std::size_t i = 0; i < routers_.size(); ++i) {
        Router::Statistics& counted = routers_[i]->statistics;
        counted.flits_forwarded.raise_to(fabric_.flits_forwarded(i, domain_.now()));
        counted.headers_routed.raise_to(fabric_.headers_routed(i));
        statistics.push_back({routers_[i]->name(), &counted});
    }
}

void WormPacketNetwork::report_waits(hw::WaitReport& report) const {
    fabric_.report_waits(report, domain_.now());
}

}  // namespace weir::network
