#include "network/network_parameters.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "hw/controller/controller_registers.h"
#include "network/router/router.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::network {

namespace {

// Largest number of nodes. It is limited by memory for each pair of nodes, if routes do not follow
// from coordinates as in meshes and tori. When each of kMostNodes nodes has sent to each other one,
// a network needs:
// - 1.1 GB for the machine's unloaded routes (RoutedTrips)
// - 0.5 GB for the routing tables of virtual-channel routers, which fill as messages arrive. An
//   entry of two bytes is for a router and destination, or for an input and destination if the
//   routing looks at the input.
// - 0.5 GB for up*/down* routing with as many switches as nodes: two bytes per pair of switches
//
// A fat tree needs no such table and a few bytes per router. A plain mesh needs a few bytes per
// row.
constexpr std::int64_t kMostNodes = kMostTopologyNodes;

// Options of a parameter whose value is one of the objects in `all`.
template <class Named>
std::vector<typename hw::Choice<const Named*>::Option> named_options(
    const std::vector<const Named*>& all) {
    std::vector<typename hw::Choice<const Named*>::Option> options;
    options.reserve(all.size());
    for (const Named* one : all) {
        options.push_back({one, one->name()});
    }
    return options;
}

// Names and sentences of all objects, for the parameter's sentence.
template <class Named>
std::string named_sentences(const std::vector<const Named*>& all) {
    std::string text;
    for (const Named* one : all) {
        text += (text.empty() ? "" : "; ") + one->name() + ": " + one->sentence();
    }
    return text;
}

// Condition that the key's value is one of the objects that read the parameter. It lists these
// objects or the others, whichever are fewer.
template <class Named>
hw::Condition one_of_those_that_read(std::string key, std::string_view parameter,
                                     const std::vector<const Named*>& all) {
    using Comparison = hw::Condition::Comparison;
    std::vector<hw::ParameterValue> reading;
    std::vector<hw::ParameterValue> others;
    for (const Named* one : all) {
        (one->reads(parameter) ? reading : others).emplace_back(one->name());
    }
    const bool are_most = reading.size() > others.size();
    return Comparison{std::move(key),
                      are_most ? Comparison::Relation::kIsNoneOf : Comparison::Relation::kIsOneOf,
                      are_most ? std::move(others) : std::move(reading)};
}

// Text that names the topologies which a routing supports, for a routing that does not support all
// of them.
std::string where_it_is(const RoutingKind& routing) {
    const auto can = [&routing](const TopologyFamily& family) { return routing.routes(family); };
    const std::size_t count =
        std::count_if(topology_families().begin(), topology_families().end(),
                      [&](const TopologyFamily* family) { return can(*family); });
    return 2 * count > topology_families().size()
               ? "any topology but a " + topologies_that(std::not_fn(can))
               : "a " + topologies_that(can);
}

}  // namespace

NetworkParameters::NetworkParameters()
    : ParameterGroup("network", "The network between the nodes") {}
NetworkParameters::~NetworkParameters() = default;

const TopologyFamily* NetworkParameters::default_topology() { return topology_families().front(); }

std::vector<hw::Choice<const TopologyFamily*>::Option> NetworkParameters::topology_options() {
    return named_options(topology_families());
}

std::string NetworkParameters::topology_sentence() {
    return "Topology of the routers and channels. " + named_sentences(topology_families());
}

const RoutingKind* NetworkParameters::default_routing() { return routing_kinds().front(); }

std::vector<hw::Choice<const RoutingKind*>::Option> NetworkParameters::routing_options() {
    return named_options(routing_kinds());
}

std::string NetworkParameters::routing_sentence() {
    return "Routing of messages. " + named_sentences(routing_kinds());
}

const RouterKind* NetworkParameters::default_router() { return router_kinds().front(); }

std::vector<hw::Choice<const RouterKind*>::Option> NetworkParameters::router_options() {
    return named_options(router_kinds());
}

std::string NetworkParameters::router_sentence() {
    return "The routers' microarchitecture. " + named_sentences(router_kinds());
}

const AllocatorKind* NetworkParameters::default_allocator() { return allocator_kinds().front(); }

std::vector<hw::Choice<const AllocatorKind*>::Option> NetworkParameters::allocator_options() {
    return named_options(allocator_kinds());
}

std::string NetworkParameters::allocator_sentence() {
    return "Allocator of virtual channels and of the switch. " + named_sentences(allocator_kinds());
}

hw::Condition NetworkParameters::topology_reads(std::string_view parameter) {
    return one_of_those_that_read("network.topology", parameter, topology_families());
}

hw::Condition NetworkParameters::routing_reads(std::string_view parameter) {
    return one_of_those_that_read("network.routing", parameter, routing_kinds());
}

std::int64_t NetworkParameters::node_count() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : dimensions.value()) {
        count = std::min(count * extent, kMostNodes + 1);
    }
    return count;
}

std::optional<hw::ParameterGroup::Fault> NetworkParameters::check() const {
    if (auto fault = shape_fault()) {
        return fault;
    }
    if (logp_least_latency_cycles.value() > logp_latency_cycles.value()) {
        return Fault{"logp_least_latency_cycles", "is more than logp_latency_cycles",
                     "at most " + std::to_string(logp_latency_cycles.value().count())};
    }
    if (model.value() == NetworkModel::kWormhole) {
        for (const auto* edge : {&injection_cycles, &ejection_cycles}) {
            if (edge->value() < hw::Cycles(1)) {
                return Fault{edge->name(), "is 0, which only network.model = \"delay\" can do",
                             "at least 1"};
            }
        }
    }
    if (output_binding.value() == OutputBinding::kHeaderSent &&
        vc_allocation_cycles.value() > hw::Cycles(0)) {
        return Fault{"output_binding",
                     "is \"header_sent\", which has no allocation stage "
                     "(network.vc_allocation_cycles) before a header is sent",
                     "\"granted\", or network.vc_allocation_cycles = 0"};
    }
    if (const auto fault_of = router.value()->traits().fault;
        fault_of != nullptr && model.value() == NetworkModel::kWormhole) {
        if (auto fault = fault_of(*this)) {
            return fault;
        }
    }
    if (auto fault = width_fault()) {
        return fault;
    }
    return routing_fault();
}

// Fault of the channels' width. A flit must take whole cycles, since a channel that idles for a
// part of a cycle has a smaller width.
std::optional<hw::ParameterGroup::Fault> NetworkParameters::width_fault() const {
    const std::int64_t flit_bits = 8 * flit_bytes.value().count();
    const std::int64_t bits = channel_bits_per_cycle.value();
    if (bits == 0 || flit_bits % bits == 0) {
        return std::nullopt;
    }
    std::string divisors;
    for (std::int64_t divisor = 1; divisor < flit_bits; ++divisor) {
        divisors += flit_bits % divisor == 0 ? std::to_string(divisor) + ", " : "";
    }
    const std::string flit = "a flit of " + std::to_string(flit_bits) + " bits";
    return Fault{"channel_bits_per_cycle",
                 bits > flit_bits ? "is wider than " + flit
                                  : "is " + std::to_string(bits) + ", which does not move " + flit +
                                        " in whole cycles",
                 divisors + std::to_string(flit_bits) + ", or 0 for one flit per cycle"};
}

// Fault of the dimensions or of the topology's other parameters, if any.
std::optional<hw::ParameterGroup::Fault> NetworkParameters::shape_fault() const {
    if (!topology.value()->reads(dimensions.name())) {
        return topology.value()->fault(*this);
    }
    if (dimensions.value().size() > 8) {
        return Fault{"dimensions",
                     "has " + std::to_string(dimensions.value().size()) + " dimensions", "1 to 8"};
    }
    const std::string most = std::to_string(kMostNodes);
    const std::string accepted = "2 to " + most + " nodes in total";
    if (node_count() > kMostNodes) {
        return Fault{"dimensions", "makes more than " + most + " nodes", accepted};
    }
    if (node_count() < 2) {
        return Fault{"dimensions", "makes a single node", accepted};
    }
    return topology.value()->fault(*this);
}

std::optional<hw::ParameterGroup::Fault> NetworkParameters::routing_fault() const {
    const RoutingKind& kind = *routing.value();
    if (!kind.routes(*topology.value())) {
        return Fault{"routing", "is for " + where_it_is(kind) + " alone", "\"default\""};
    }
    if (kind.traits().fault != nullptr) {
        if (auto fault = kind.traits().fault(*this)) {
            return fault;
        }
    }
    const bool has_escapes = kind.traits().has_escapes;
    if (topology.value()->reads(routing_order.name())) {
        std::vector<std::size_t> named = order();
        std::sort(named.begin(), named.end());
        const bool names_twice = std::adjacent_find(named.begin(), named.end()) != named.end();
        if (names_twice || named.size() != dimensions.value().size()) {
            return Fault{"routing_order",
                         "does not name each of the " + std::to_string(dimensions.value().size()) +
                             " dimensions once",
                         "for three, [0, 1, 2] in any order"};
        }
    }
    const std::int64_t channels = virtual_channels.value();
    const ChannelClasses classes = kind.channel_classes(*topology.value());
    if (channels != 0 && has_escapes && channels <= classes.count) {
        return Fault{
            "virtual_channels",
            "is " + std::to_string(channels) +
                ", which leaves minimal adaptive routing no virtual channel beside its escape "
                "channels",
            "0, or at least " + std::to_string(classes.count + 1)};
    }
    const bool is_one = channels == 1 && classes.may_be_one;
    if (!has_escapes && !is_one && channels % classes.count != 0) {
        const std::string multiple = "a multiple of " + std::to_string(classes.count);
        return Fault{"virtual_channels",
                     (classes.count == 2 ? "is odd, and " : "is not " + multiple + ", and ") +
                         classes.reason,
                     (classes.count == 2 ? "an even number" : multiple) +
                         (classes.may_be_one ? ", or 1, which is not deadlock-free" : "")};
    }
    return std::nullopt;
}

hw::Cycles NetworkParameters::flit_cycles() const {
    const std::int64_t bits = channel_bits_per_cycle.value();
    return hw::Cycles(bits == 0 ? 1 : 8 * flit_bytes.value().count() / bits);
}

Reallocation NetworkParameters::reallocation() const {
    const bool has_escapes_of_worms =
        routing.value()->traits().has_escapes && switching.value() == Switching::kWormhole;
    return vc_reallocation.value().value_or(has_escapes_of_worms ? Reallocation::kTailCredit
                                                                 : Reallocation::kTail);
}

EscapeRules NetworkParameters::escape_rules() const {
    return {.may_leave = leave_escapes.value(),
            .share_buffers =
                switching.value() == Switching::kWormhole && reallocation() == Reallocation::kTail};
}

std::vector<std::size_t> NetworkParameters::order() const {
    std::vector<std::size_t> order;
    for (const std::int64_t dimension : routing_order.value()) {
        if (dimension < static_cast<std::int64_t>(dimensions.value().size())) {
            order.push_back(dimension);
        }
    }
    return order;
}

bool NetworkParameters::is_plain_mesh() const {
    const std::vector<std::size_t> order_taken = order();
    const bool is_x_first = std::is_sorted(order_taken.begin(), order_taken.end());
    const bool is_one_cycle =
        routing_cycles.value() == hw::Cycles(0) && vc_allocation_cycles.value() == hw::Cycles(0) &&
        switch_allocation_cycles.value() == hw::Cycles(0) && credit_cycles.value() == hw::Cycles(1);
    const std::optional<Lattice> lattice = topology.value()->lattice(*this);
    const bool is_mesh = lattice && !lattice->is_end_around && lattice->ports_a_dimension == 2;
    return is_mesh && is_x_first && is_one_cycle && tag_bytes.value() == hw::Bytes(0) &&
           has_faster_ways() && routing.value()->is_topologys_own() &&
           virtual_channels.value() <= 1 && switching.value() == Switching::kWormhole &&
           reallocation() == Reallocation::kTail && copies.value() == 1;
}

hw::Flits NetworkParameters::least_buffer() const {
    hw::Flits least = buffer_flits.value();
    for (const hw::Flits own : {injection_buffer_flits.value(), ejection_buffer_flits.value()}) {
        least = own > hw::Flits(0) ? std::min(least, own) : least;
    }
    return least;
}

bool NetworkParameters::has_like_buffers() const {
    return (injection_buffer_flits.value() == hw::Flits(0) ||
            injection_buffer_flits.value() == buffer_flits.value()) &&
           (ejection_buffer_flits.value() == hw::Flits(0) ||
            ejection_buffer_flits.value() == buffer_flits.value()) &&
           (injection_credit_cycles.value() == hw::Cycles(0) ||
            injection_credit_cycles.value() == credit_cycles.value());
}

bool NetworkParameters::has_faster_ways() const {
    return router.value() == router_kinds().front() && has_like_buffers() &&
           arbitration.value() == Arbitration::kRoundRobin &&
           allocator.value() == allocator_kinds().front() &&
           output_binding.value() == OutputBinding::kGranted && flit_cycles() == hw::Cycles(1) &&
           !routing.value()->traits().chooses_by_queues;
}

std::vector<std::int32_t> NetworkParameters::extents() const {
    std::vector<std::int32_t> extents;
    for (const std::int64_t extent : dimensions.value()) {
        extents.push_back(static_cast<std::int32_t>(extent));
    }
    return extents;
}

std::vector<std::int32_t> NetworkParameters::neighbour_extents(std::int64_t nodes) const {
    const std::optional<Lattice> lattice = topology.value()->lattice(*this);
    return lattice ? lattice->extents : std::vector{static_cast<std::int32_t>(nodes)};
}

}  // namespace weir::network
