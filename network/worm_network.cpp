#include "network/worm_network.h"

namespace weir::network {

WormNetwork::WormNetwork(const sc_core::sc_module_name& name, hw::ClockTiles& clock,
                         const NetworkParameters& parameters, hw::MessagePool& messages)
    : sc_module(name),
      clock_(clock),
      messages_(messages),
      mesh_(parameters.extents()),
      trips_(parameters, mesh_) {
    const WormFabric::Timing timing{
        parameters.injection_cycles.value(), parameters.hop_cycles.value(),
        parameters.ejection_cycles.value(), parameters.buffer_flits.value()};
    for (std::size_t tile = 0; tile < clock.count(); ++tile) {
        const std::size_t first = clock.first_node(tile, mesh_.node_count());
        const std::size_t end = clock.first_node(tile + 1, mesh_.node_count());
        fabrics_.push_back(std::make_unique<WormFabric>(clock.domain(tile), mesh_, timing,
                                                        WormFabric::Routers{first, end - first}));
    }
    for (const auto& fabric : fabrics_) {
        for (const auto& other : fabrics_) {
            if (fabric != other) {
                fabric->connect_to(*other);
            }
        }
    }
    const std::string path = std::string(this->name()) + ".router_";
    for (std::int32_t i = 0; i < mesh_.node_count(); ++i) {
        routers_.push_back(std::make_unique<Router>());
        routers_.back()->name = path + std::to_string(i);
        WormFabric& fabric = *fabrics_[clock.tile_of(hw::NodeId(i), mesh_.node_count())];
        ends_.push_back(std::make_unique<WormInterface>(
            ("interface_" + std::to_string(i)).c_str(), fabric.domain(), hw::NodeId(i),
            parameters.flit_bytes.value(), messages,
            [this](const hw::Message& message, int /*lot*/) {
                return trips_.between(message.source, message.destination);
            },
            fabric));
    }
}

void WormNetwork::settle() const {
    const hw::Cycles now = clock_.now();
    for (const auto& end : ends_) {
        end->settle(now);
    }
    for (std::size_t i = 0; i < routers_.size(); ++i) {
        const WormFabric& fabric = fabric_of(i);
        WormholeRouter::Statistics& statistics = routers_[i]->statistics;
        statistics.flits_forwarded.raise_to(fabric.flits_forwarded(i, now));
        statistics.headers_routed.raise_to(fabric.headers_routed(i));
    }
}

void WormNetwork::end_of_run(hw::Cycles now) {
    RouterNetwork::end_of_run(now);
    forget_times_after(now, messages_);
}

std::int64_t WormNetwork::flit_hops() const {
    std::int64_t hops = 0;
    for (std::size_t i = 0; i < routers_.size(); ++i) {
        hops += fabric_of(i).flits_forwarded(i, clock_.now());
    }
    return hops;
}

hw::Flits WormNetwork::flits_in_flight() const {
    hw::Flits flits(0);
    for (const auto& fabric : fabrics_) {
        flits += fabric->flits_in_flight(clock_.now());
    }
    return flits;
}

void WormNetwork::add_to(hw::ConservationAccount& account) const {
    settle();
    for (const auto& end : ends_) {
        end->add_to(account);
    }
    account.flits_in_channels = flits_in_flight().count();
}

std::vector<std::string> WormNetwork::channel_names() const { return mesh_.channel_names(); }

std::vector<ChannelCount> WormNetwork::channel_counts(hw::Cycles through) const {
    const TopologyGraph& graph = mesh_.graph();
    std::vector<ChannelCount> counts;
    for (const Channel edge : channels_of(graph)) {
        const std::size_t to = target(edge, graph);
        const auto& channel = fabric_of(to).input(to, graph[edge].input_port);
        counts.push_back({hw::Flits(channel.sent.count_through(through)),
                          channel.header_waits.through(through)});
    }
    return counts;
}

void WormNetwork::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    settle();
    for (const auto& router : routers_) {
        statistics.push_back({router->name, &router->statistics});
    }
    for (const auto& end : ends_) {
        statistics.push_back({end->name(), &end->statistics()});
    }
}

void WormNetwork::report_waits(hw::WaitReport& report, const CoreName& /*core_name*/) const {
    settle();
    for (const auto& fabric : fabrics_) {
        fabric->report_waits(report, clock_.now());
    }
}

}  // namespace weir::network
