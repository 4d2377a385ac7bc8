#include "network/traffic/one_at_a_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "network/topology/metrics.h"

namespace weir::network {

namespace {

constexpr hw::Cycles kStep(64);

}  // namespace

OneAtATime::OneAtATime(hw::ClockDomain& domain, PacketNetwork& network, hw::Flits packet_flits)
    : domain_(domain),
      network_(network),
      packet_flits_(packet_flits),
      record_(hw::Cycles(0), hw::kNever) {
    network.add_endpoints({.make_source =
                               [](hw::NodeId /*node*/) {
                                   return std::make_unique<RecordedPacketSource>(
                                       std::vector<GeneratedPacket>{});
                               },
                           .packets = packets_,
                           .record = record_});
    choose_pairs();
}

void OneAtATime::choose_pairs() {
    const Topology& topology = network_.topology();
    for (std::size_t source = 0; source < topology.node_count(); ++source) {
        const std::vector<std::int32_t> hops = hops_from(topology, source);
        ++result_.to_itself[hops[source]];
        for (std::size_t destination = 0; destination < hops.size(); ++destination) {
            if (destination == source) {
                continue;
            }
            NodesApart& apart = result_.by_hops[hops[destination]];
            if (source == 0 || apart.pairs == 0) {
                pairs_.push_back({source, destination, hops[destination]});
            }
            ++apart.pairs;
        }
    }
}

OneAtATimeResult OneAtATime::run(const OpenLoop::Limits& limits) {
    double shortest = 0.0;
    for (const Pair& pair : pairs_) {
        if (!send(pair, limits)) {
            break;
        }
        shortest += static_cast<double>(pair.hops);
    }
    result_.cycles = domain_.now().count();
    require_conservation();
    std::int64_t hops = 0;
    const std::vector<ChannelCount> counts = network_.channel_counts(domain_.now());
    const std::vector<Channel> channels = channels_of(network_.topology().graph());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const bool is_hop = network_.topology().is_hop(channels[i]);
        hops += is_hop ? counts[i].sent.count() : 0;
    }
    if (result_.end == TrafficEnd::kDrained) {
        result_.cycles = next_.count();
        result_.mean_hops =
            static_cast<double>(hops) / static_cast<double>(record_.taken().count());
        result_.mean_shortest_hops = shortest / static_cast<double>(pairs_.size());
    }
    return result_;
}

// Sends a packet between the pair, and waits for its arrival. False if the run must end before.
bool OneAtATime::send(const Pair& pair, const OpenLoop::Limits& limits) {
    const std::int64_t arrived = record_.packets_arrived();
    const std::int64_t latencies = record_.from_generation().sum();
    network_.offer(hw::NodeId(static_cast<std::int32_t>(pair.source)),
                   {next_, static_cast<std::int32_t>(pair.destination), packet_flits_});
    // The next packet's cycle moves on in fixed steps, so that it is the same whether parts sleep
    // or not.
    while (record_.packets_arrived() == arrived || record_.last_arrival() >= next_) {
        next_ += kStep;
        domain_.run_until(next_ - hw::Cycles(1));
        if (!record_.fault().empty()) {
            throw std::logic_error(record_.fault());
        }
        if (packets_.in_use() > 0 && !domain_.has_wake_ups()) {
            result_.end = TrafficEnd::kDeadlock;
            return false;
        }
        if (packets_.in_use() > 0 && next_ - domain_.last_progress() > limits.watchdog_cycles) {
            result_.end = TrafficEnd::kNoProgress;
            return false;
        }
        if (!limits.proceed()) {
            result_.end = TrafficEnd::kInterrupted;
            return false;
        }
    }
    result_.by_hops[pair.hops].measured.add(record_.from_generation().sum() - latencies);
    const Fabric::Design& design = network_.design();
    next_ +=
        std::max(design.credit_cycles, design.injection_credit_cycles) + design.router.flit_cycles;
    return true;
}

double OneAtATime::progress() const {
    return static_cast<double>(record_.packets_arrived()) / static_cast<double>(pairs_.size());
}

hw::WaitReport OneAtATime::waits() const {
    hw::WaitReport report;
    network_.report_waits(report);
    return report;
}

void OneAtATime::require_conservation() const {
    const hw::Flits in_channels = network_.flits_in_flight();
    const bool ended = result_.end == TrafficEnd::kDrained;
    if (record_.sent() != record_.taken() + in_channels ||
        (ended && (in_channels > hw::Flits(0) || packets_.in_use() > 0))) {
        throw std::logic_error(
            fmt::format("flits are not conserved: {} sent, {} taken, {} in channels",
                        record_.sent().count(), record_.taken().count(), in_channels.count()));
    }
}

}  // namespace weir::network
