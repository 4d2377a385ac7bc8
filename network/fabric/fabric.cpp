#include "network/fabric/fabric.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <stdexcept>

#include "network/router/virtual_channel_router.h"

namespace weir::network {

namespace {

// Number of a switch's ports, used or not.
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

Fabric::Fabric(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Routing& routing,
               const Design& design)
    : sc_module(name),
      domain_(domain),
      routing_(routing),
      design_(design),
      ends_(routing.topology().node_count()) {
    if (design_.router.switching != Switching::kWormhole &&
        design_.least_buffer() > hw::Flits(Flit::kMostFlits)) {
        throw std::invalid_argument("buffers of " + std::to_string(design_.least_buffer().count()) +
                                    " flits for whole messages; accepted: at most " +
                                    std::to_string(Flit::kMostFlits) +
                                    ", the most that a header flit can announce");
    }
    make_routers();
    for (const Channel channel : channels_of(topology().graph())) {
        make_link(channel);
    }
}

hw::Flits Fabric::Design::buffer_of(const Topology& topology, Channel channel) const {
    const hw::Flits own = topology.is_injection(channel)  ? injection_buffer
                          : topology.is_ejection(channel) ? ejection_buffer
                                                          : hw::Flits(0);
    return own > hw::Flits(0) ? own : buffer;
}

hw::Cycles Fabric::Design::credit_cycles_of(const Topology& topology, Channel channel) const {
    return topology.is_injection(channel) && injection_credit_cycles > hw::Cycles(0)
               ? injection_credit_cycles
               : credit_cycles;
}

hw::Flits Fabric::Design::least_buffer() const {
    hw::Flits least = buffer;
    for (const hw::Flits own : {injection_buffer, ejection_buffer}) {
        least = own > hw::Flits(0) ? std::min(least, own) : least;
    }
    return least;
}

hw::Cycles Fabric::Design::link_cycles(const Topology& topology, Channel channel) const {
    if (const std::int32_t own = topology.graph()[channel].cycles; own > 0) {
        return hw::Cycles(own);
    }
    return topology.is_injection(channel)  ? injection_cycles
           : topology.is_ejection(channel) ? ejection_cycles
                                           : hop_cycles;
}

// True if all channels of a kind have the same link cycles, and all channels the same buffer size
// and credit delay.
bool Fabric::has_like_channels() const {
    const std::vector<Channel> channels = channels_of(topology().graph());
    return std::all_of(channels.begin(), channels.end(), [this](Channel channel) {
        return topology().graph()[channel].cycles == 0 &&
               design_.buffer_of(topology(), channel) == design_.buffer &&
               design_.credit_cycles_of(topology(), channel) == design_.credit_cycles;
    });
}

int Fabric::vcs_of_routers() const {
    return std::max({routing_.virtual_channels(), design_.injection_vcs, design_.ejection_vcs});
}

VirtualChannelRouters::Design Fabric::virtual_channel_routers_design() const {
    int ports = 0;
    for (std::size_t vertex = 0; vertex < topology().switch_count(); ++vertex) {
        ports = std::max(ports, ports_of(vertex, topology().graph()));
    }
    return {design_.router,
            design_.buffer,
            design_.switch_allocation_cycles + design_.hop_cycles,
            design_.injection_cycles,
            design_.switch_allocation_cycles + design_.ejection_cycles,
            design_.credit_cycles,
            topology().switch_count(),
            ports,
            vcs_of_routers(),
            !design_.has_virtual_channel_ends};
}

void Fabric::make_routers() {
    const auto name_of = [](std::size_t vertex) { return "router_" + std::to_string(vertex); };
    const VirtualChannelRouters::Design in_one_part = virtual_channel_routers_design();
    if (design_.in_one_part && design_.router_kind == &virtual_channel_router_kind() &&
        !routing_.chooses_by_queues() && has_like_channels() &&
        VirtualChannelRouters::takes(in_one_part)) {
        virtual_channel_routers_ =
            std::make_unique<VirtualChannelRouters>(domain_, routing_, in_one_part);
        for (std::size_t vertex = 0; vertex < topology().switch_count(); ++vertex) {
            counted_routers_.push_back(std::make_unique<CountedRouter>(name_of(vertex).c_str()));
        }
        return;
    }
    for (std::size_t vertex = 0; vertex < topology().switch_count(); ++vertex) {
        routers_.push_back(
            design_.router_kind->make(name_of(vertex).c_str(), domain_,
                                      {routing_, vertex, ports_of(vertex, topology().graph()),
                                       vcs_of_routers(), design_.buffer, ages_, design_.faults},
                                      design_.router));
    }
}

void Fabric::make_link(Channel channel) {
    const bool is_injection = topology().is_injection(channel);
    const bool is_ejection = topology().is_ejection(channel);
    const int vcs = is_injection  ? design_.injection_vcs
                    : is_ejection ? design_.ejection_vcs
                                  : routing_.virtual_channels();
    // A flit takes flit_cycles on a narrow link, and arrives with its last part.
    const hw::Cycles last_part = design_.router.flit_cycles - hw::Cycles(1);
    const hw::Cycles link_cycles =
        (is_injection ? hw::Cycles(0) : design_.switch_allocation_cycles) +
        design_.link_cycles(topology(), channel);
    Link& link = links_.emplace_back(Link{channel, {}});
    numbered_vcs_.emplace_back();
    for (int vc = 0; vc < vcs; ++vc) {
        if (is_of_virtual_channel_routers(channel)) {
            numbered_vcs_.back().push_back(
                connect_in_routers(channel, vc, name_of(channel, vc, vcs)));
            continue;
        }
        FlitChannel& flits = channels_.emplace_back(
            name_of(channel, vc, vcs), link_cycles + last_part,
            design_.buffer_of(topology(), channel), design_.credit_cycles_of(topology(), channel),
            design_.router.flit_cycles);
        link.vcs.push_back(&flits);
        connect(channel, vc, flits);
    }
    if (is_injection) {
        End& end = ends_[source(channel, topology().graph()) - topology().switch_count()];
        sc_assert(end.vcs.injection.empty());
        end.vcs.injection = link.vcs;
        end.numbered_vcs.resize(std::max(end.numbered_vcs.size(), numbered_vcs_.back().size()));
        for (std::size_t vc = 0; vc < numbered_vcs_.back().size(); ++vc) {
            end.numbered_vcs[vc].injection = numbered_vcs_.back()[vc];
        }
        end.injects_into = input_of(channel).router;
    } else if (is_ejection) {
        End& end = ends_[target(channel, topology().graph()) - topology().switch_count()];
        sc_assert(end.vcs.ejection.empty());
        end.vcs.ejection = link.vcs;
        end.numbered_vcs.resize(std::max(end.numbered_vcs.size(), numbered_vcs_.back().size()));
        for (std::size_t vc = 0; vc < numbered_vcs_.back().size(); ++vc) {
            end.numbered_vcs[vc].ejection = numbered_vcs_.back()[vc];
        }
        end.ejects_from = output_of(channel).router;
    }
}

std::string Fabric::name_of(Channel channel, int vc, int vcs) const {
    std::string name = topology().channel_name(channel);
    if (vcs > 1) {
        name += " virtual channel " + std::to_string(vc);
    }
    if (design_.copy) {
        name += kOfCopy + std::to_string(*design_.copy);
    }
    return name;
}

VirtualChannelRouters::Port Fabric::output_of(Channel channel) const {
    return {source(channel, topology().graph()), topology().graph()[channel].output_port};
}

VirtualChannelRouters::Port Fabric::input_of(Channel channel) const {
    return {target(channel, topology().graph()), topology().graph()[channel].input_port};
}

bool Fabric::is_of_virtual_channel_routers(Channel channel) const {
    return has_virtual_channel_ends() ||
           (virtual_channel_routers_ != nullptr && !topology().is_injection(channel) &&
            !topology().is_ejection(channel));
}

VirtualChannelRouters::VirtualChannelNumber Fabric::connect_in_routers(Channel channel, int vc,
                                                                       std::string name) {
    if (topology().is_injection(channel)) {
        return virtual_channel_routers_->connect_injection(input_of(channel), vc, std::move(name));
    }
    if (topology().is_ejection(channel)) {
        return virtual_channel_routers_->connect_ejection(output_of(channel), vc, std::move(name));
    }
    return virtual_channel_routers_->connect(output_of(channel), input_of(channel), vc,
                                             std::move(name));
}

// Connects the channel to the routers, or nodes, at its ends.
void Fabric::connect(Channel channel, int vc, FlitChannel& flits) {
    using Behind = Router::Behind;
    const bool is_injection = topology().is_injection(channel);
    const bool is_ejection = topology().is_ejection(channel);
    const VirtualChannelRouters::Port from = output_of(channel);
    const VirtualChannelRouters::Port to = input_of(channel);
    if (virtual_channel_routers_) {
        is_injection ? virtual_channel_routers_->connect_injection(to, vc, flits)
                     : virtual_channel_routers_->connect_ejection(from, vc, flits);
        return;
    }
    if (!is_injection) {
        routers_[from.router]->connect_output(from.port, vc,
                                              is_ejection ? Behind::kNode : Behind::kRouter, flits);
    }
    if (!is_ejection) {
        routers_[to.router]->connect_input(to.port, vc,
                                           is_injection ? Behind::kNode : Behind::kRouter, flits);
    }
    if (!is_injection && !is_ejection) {
        flits.connect(*routers_[from.router], *routers_[to.router]);
    }
}

hw::ClockedPart& Fabric::router(std::size_t vertex) {
    return virtual_channel_routers_ ? static_cast<hw::ClockedPart&>(*virtual_channel_routers_)
                                    : *routers_[vertex];
}

void Fabric::connect_end(hw::NodeId node, hw::ClockedPart& sender, hw::ClockedPart& receiver) {
    sc_assert(!has_virtual_channel_ends());
    const End& end = ends_[node];
    for (FlitChannel* vc : end.vcs.injection) {
        vc->connect(sender, router(end.injects_into));
    }
    for (FlitChannel* vc : end.vcs.ejection) {
        vc->connect(router(end.ejects_from), receiver);
    }
}

void Fabric::count_passed_in(RoutersPassed& passed) {
    for (const auto& router : routers_) {
        router->count_passed_in(passed);
    }
    if (virtual_channel_routers_) {
        virtual_channel_routers_->count_passed_in(passed);
    }
}

void Fabric::set_route_chosen(const Router::RouteChosen& told) {
    for (const auto& router : routers_) {
        router->set_route_chosen(told);
    }
}

MessageLots Fabric::lots_of(hw::NodeId node) const {
    return {routing_, design_.seed, node,
            "message lots" + (design_.copy ? kOfCopy + std::to_string(*design_.copy) : "")};
}

std::vector<ChannelCount> Fabric::channel_counts(hw::Cycles through) const {
    std::vector<ChannelCount> counts;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        ChannelCount& count = counts.emplace_back();
        for (const FlitChannel* vc : links_[i].vcs) {
            count += {vc->sent(), vc->header_waits().through(through)};
        }
        for (const VirtualChannelRouters::VirtualChannelNumber vc : numbered_vcs_[i]) {
            count += virtual_channel_routers_->count(vc, through);
        }
    }
    return counts;
}

std::int64_t Fabric::flit_hops() const {
    std::int64_t hops = 0;
    for (const auto& router : routers_) {
        hops += router->statistics().flits_forwarded.value();
    }
    for (std::size_t vertex = 0; vertex < counted_routers_.size(); ++vertex) {
        hops += virtual_channel_routers_->flits_forwarded(vertex);
    }
    return hops;
}

hw::Flits Fabric::flits_in_flight() const {
    hw::Flits in_flight =
        virtual_channel_routers_ ? virtual_channel_routers_->flits_in_flight() : hw::Flits(0);
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
    settle();
    for (const auto& router : counted_routers_) {
        statistics.push_back({router->name(), &router->statistics});
    }
}

void Fabric::settle() const {
    if (virtual_channel_routers_) {
        virtual_channel_routers_->settle(domain_.now());
    }
    for (std::size_t vertex = 0; vertex < counted_routers_.size(); ++vertex) {
        Router::Statistics& statistics = counted_routers_[vertex]->statistics;
        statistics.flits_forwarded.raise_to(virtual_channel_routers_->flits_forwarded(vertex));
        statistics.headers_routed.raise_to(virtual_channel_routers_->headers_routed(vertex));
    }
}

void Fabric::report_waits(hw::WaitReport& report) const {
    for (const auto& router : routers_) {
        router->report_waits(report);
    }
    if (virtual_channel_routers_) {
        virtual_channel_routers_->report_waits(report);
    }
}

}  // namespace weir::network
