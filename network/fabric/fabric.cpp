#include "network/fabric/fabric.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <stdexcept>

namespace weir::network {

namespace {

// Ports of a switch, used or not.
int ports_of(std::size_t vertex, const TopologyGraph& graph) {
    int count = 0;
    for (const Channel channel : boost::make_iterator_range(out_edges(vertex, graph))) {
        count = std::max(count, graph[channel].output_port + 1);
    }
    for (const Channel channel : boost::make_iterator_range(in_edges(vertex, graph))) {
        count = std::max(count, graph[channel].input_port + 1);
    }
    return count;
}

}  // namespace

hw::Flits Fabric::Link::sent() const {
    hw::Flits sent;
    for (const FlitChannel* lane : lanes) {
        sent += lane->sent();
    }
    return sent;
}

Fabric::Fabric(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Routing& routing,
               const Design& design)
    : sc_module(name),
      domain_(domain),
      routing_(routing),
      design_(design),
      ends_(routing.topology().node_count()) {
    if (design_.router.switching != Switching::kWormhole &&
        design_.buffer > hw::Flits(Flit::kMostFlits)) {
        throw std::invalid_argument("buffers of " + std::to_string(design_.buffer.count()) +
                                    " flits for whole messages; accepted: at most " +
                                    std::to_string(Flit::kMostFlits) +
                                    ", the most that a header flit can announce");
    }
    make_routers();
    for (const Channel channel : channels_of(topology().graph())) {
        make_link(channel);
    }
}

void Fabric::make_routers() {
    const int lanes =
        std::max({routing_.virtual_channels(), design_.injection_lanes, design_.ejection_lanes});
    for (std::size_t vertex = 0; vertex < topology().switch_count(); ++vertex) {
        routers_.push_back(
            design_.router_kind->make(("router_" + std::to_string(vertex)).c_str(), domain_,
                                      {routing_, vertex, ports_of(vertex, topology().graph()),
                                       lanes, design_.buffer, entries_, design_.faults},
                                      design_.router));
    }
}

void Fabric::make_link(Channel channel) {
    using Behind = Router::Behind;
    const TopologyGraph& graph = topology().graph();
    const bool is_injection = topology().is_injection(channel);
    const bool is_ejection = topology().is_ejection(channel);
    const int lanes = is_injection  ? design_.injection_lanes
                      : is_ejection ? design_.ejection_lanes
                                    : routing_.virtual_channels();
    // A flit has arrived when all of it has.
    const hw::Cycles last_part = design_.router.flit_cycles - hw::Cycles(1);
    const hw::Cycles link_cycles =
        is_injection ? design_.injection_cycles
                     : design_.switch_allocation_cycles +
                           (is_ejection ? design_.ejection_cycles : design_.hop_cycles);
    Link& link = links_.emplace_back(Link{channel, {}});
    for (int lane = 0; lane < lanes; ++lane) {
        std::string name = topology().channel_name(channel);
        if (lanes > 1) {
            name += " virtual channel " + std::to_string(lane);
        }
        if (design_.copy) {
            name += kOfCopy + std::to_string(*design_.copy);
        }
        FlitChannel& flits =
            channels_.emplace_back(std::move(name), link_cycles + last_part, design_.buffer,
                                   design_.credit_cycles, design_.router.flit_cycles);
        link.lanes.push_back(&flits);
        if (!is_injection) {
            routers_[source(channel, graph)]->connect_output(
                graph[channel].output_port, lane, is_ejection ? Behind::kNode : Behind::kRouter,
                flits);
        }
        if (!is_ejection) {
            routers_[target(channel, graph)]->connect_input(
                graph[channel].input_port, lane, is_injection ? Behind::kNode : Behind::kRouter,
                flits);
        }
        if (!is_injection && !is_ejection) {
            flits.connect(*routers_[source(channel, graph)], *routers_[target(channel, graph)]);
        }
    }
    if (is_injection) {
        End& end = ends_[source(channel, graph) - topology().switch_count()];
        sc_assert(end.lanes.injection.empty());
        end.lanes.injection = link.lanes;
        end.injects_into = target(channel, graph);
    } else if (is_ejection) {
        End& end = ends_[target(channel, graph) - topology().switch_count()];
        sc_assert(end.lanes.ejection.empty());
        end.lanes.ejection = link.lanes;
        end.ejects_from = source(channel, graph);
    }
}

void Fabric::connect_end(hw::NodeId node, hw::ClockedPart& sender, hw::ClockedPart& receiver) {
    const End& end = ends_[static_cast<std::size_t>(node.index())];
    for (FlitChannel* lane : end.lanes.injection) {
        lane->connect(sender, *routers_[end.injects_into]);
    }
    for (FlitChannel* lane : end.lanes.ejection) {
        lane->connect(*routers_[end.ejects_from], receiver);
    }
}

MessageLots Fabric::lots_of(hw::NodeId node) const {
    return {routing_, design_.seed, node,
            "message lots" + (design_.copy ? kOfCopy + std::to_string(*design_.copy) : "")};
}

std::int64_t Fabric::flit_hops() const {
    std::int64_t hops = 0;
    for (const auto& router : routers_) {
        hops += router->statistics().flits_forwarded.value();
    }
    return hops;
}

hw::Flits Fabric::flits_in_flight() const {
    hw::Flits in_flight;
    for (const FlitChannel& channel : channels_) {
        in_flight += channel.held();
    }
    for (const auto& router : routers_) {
        in_flight += router->held();
    }
    return in_flight;
}

void Fabric::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    for (const auto& router : routers_) {
        statistics.push_back({router->name(), &router->statistics()});
    }
}

void Fabric::report_waits(hw::WaitReport& report) const {
    for (const auto& router : routers_) {
        router->report_waits(report);
    }
}

}  // namespace weir::network
