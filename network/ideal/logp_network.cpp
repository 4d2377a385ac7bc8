#include "network/ideal/logp_network.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::network {

namespace {

std::int64_t ceiling_ratio(hw::Cycles dividend, hw::Cycles divisor) {
    return (dividend.count() + divisor.count() - 1) / divisor.count();
}

}  // namespace

LogpNetwork::LogpNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const NetworkParameters& parameters, std::int64_t nodes,
                         hw::Cycles launch_cycles, std::uint64_t seed, hw::MessagePool& messages)
    : sc_module(name),
      ClockedPart(domain),
      IdealNetwork(messages),
      latency_(parameters.logp_latency_cycles.value()),
      least_latency_(parameters.logp_least_latency_cycles.value()),
      gap_(parameters.logp_gap_cycles.value()),
      capacity_(ceiling_ratio(latency_, gap_)),
      launch_cycles_(launch_cycles),
      destinations_(nodes) {
    for (std::int32_t i = 0; i < nodes; ++i) {
        sources_.push_back(
            {.latencies = hw::RandomStream(seed, hw::NodeId(i), "logp network latency")});
    }
}

void LogpNetwork::request(const Request& request, hw::LaunchRequester& requester) {
    waiting_.push_back({.since = domain().now(), .request = request, .requester = &requester});
    domain().after_ticks(*this);
}

void LogpNetwork::withdraw(hw::NodeId node, int port) {
    for (Waiting& waiting : waiting_) {
        if (waiting.request.node == node && waiting.request.port == port) {
            waiting.is_withdrawn = true;
            domain().after_ticks(*this);
        }
    }
}

void LogpNetwork::end_of_cycle(hw::Cycles now) {
    receive_due(now);
    begin_launches(now);
    sleep_until_needed(now);
}

void LogpNetwork::receive_due(hw::Cycles now) {
    while (!receptions_.empty() && receptions_.begin()->first <= now) {
        receive_first(receptions_.begin()->second, now);
    }
}

void LogpNetwork::receive_first(hw::NodeId node, hw::Cycles now) {
    receptions_.erase(receptions_.begin());
    Destination& receiver = destination(node);
    const auto [arrival, id, slot] = *receiver.arrivals.begin();
    receiver.arrivals.erase(receiver.arrivals.begin());
    receiver.next_reception = now + gap_;
    if (!receiver.arrivals.empty()) {
        receptions_.emplace(reception_of(receiver), node);
    }
    --source(messages()[slot].source).in_transit;
    statistics_.messages += 1;
    statistics_.reception_wait_cycles += (now - arrival).count();
    messages()[slot].times.first_arrival = arrival + launch_cycles_;
    domain().note_progress(now);
    deliver(slot, now + launch_cycles_);
}

LogpNetwork::Obstacle LogpNetwork::obstacle(const Request& request, hw::Cycles now) const {
    const Source& from = source(request.node);
    if (from.next_launch > now) {
        return Obstacle::kGap;
    }
    if (from.in_transit >= capacity_) {
        return Obstacle::kFromNode;
    }
    const auto to = static_cast<std::int64_t>(destination(request.destination).arrivals.size());
    return to >= capacity_ ? Obstacle::kToDestination : Obstacle::kNone;
}

void LogpNetwork::begin_launches(hw::Cycles now) {
    std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
        return std::tuple(a.since, a.request.node, a.request.port) <
               std::tuple(b.since, b.request.node, b.request.port);
    });
    std::vector<Waiting> looked_at;
    looked_at.swap(waiting_);
    for (Waiting& waiting : looked_at) {
        const Request& request = waiting.request;
        const Obstacle found = obstacle(request, now);
        if (found == Obstacle::kNone) {
            note_stalled(waiting, now);
            waiting.requester->launch_granted(request.port, waiting.holder, now);
            continue;
        }
        if (waiting.is_withdrawn) {
            note_stalled(waiting, now);
            waiting.requester->launch_withdrawn(request.port, now);
            continue;
        }
        if (!waiting.was_looked_at && found == Obstacle::kToDestination) {
            waiting.holder =
                std::get<hw::MessageId>(*destination(request.destination).arrivals.begin());
        }
        waiting.was_looked_at = true;
        waiting_.push_back(waiting);
    }
}

void LogpNetwork::note_stalled(const Waiting& waiting, hw::Cycles until) {
    statistics_.stalled_launches += until > waiting.since ? 1 : 0;
    statistics_.stalled_cycles += (until - waiting.since).count();
}

void LogpNetwork::carry(hw::MessageSlot slot, hw::Cycles now) {
    hw::Message& message = messages()[slot];
    Source& from = source(message.source);
    Destination& to = destination(message.destination);
    hw::Cycles latency = latency_;
    if (least_latency_ > hw::Cycles(0)) {
        const auto values = static_cast<std::uint64_t>((latency_ - least_latency_).count() + 1);
        latency =
            least_latency_ + hw::Cycles(static_cast<std::int64_t>(from.latencies.below(values)));
    }
    message.unloaded = latency;
    ++from.in_transit;
    from.next_launch = now + gap_;
    if (!to.arrivals.empty()) {
        receptions_.erase({reception_of(to), message.destination});
    }
    to.arrivals.emplace(now + latency, message.id, slot);
    receptions_.emplace(reception_of(to), message.destination);
    statistics_.most_in_transit_from.raise_to(from.in_transit);
    statistics_.most_in_transit_to.raise_to(static_cast<std::int64_t>(to.arrivals.size()));
    domain().note_progress(now);
}

// Wakes the network for the next reception, and for the next end of a gap that delays a launch.
void LogpNetwork::sleep_until_needed(hw::Cycles now) {
    hw::Cycles next = receptions_.empty() ? hw::kNever : receptions_.begin()->first;
    for (const Waiting& waiting : waiting_) {
        const hw::Cycles gap_end = source(waiting.request.node).next_launch;
        next = gap_end > now ? std::min(next, gap_end) : next;
    }
    if (next != hw::kNever && next != next_wake_up_) {
        next_wake_up_ = next;
        wake_at(next);
    }
}

void LogpNetwork::end_of_run(hw::Cycles now) {
    for (const Waiting& waiting : waiting_) {
        note_stalled(waiting, now);
    }
}

void LogpNetwork::add_to(hw::ConservationAccount& account) const {
    account.transit_capacity = capacity_;
    account.most_in_transit =
        std::max(statistics_.most_in_transit_from.value(), statistics_.most_in_transit_to.value());
}

void LogpNetwork::report_waits(hw::WaitReport& report, const CoreName& core_name) const {
    const std::string as_many = " (capacity: " + std::to_string(capacity_) + ")";
    for (const Waiting& waiting : waiting_) {
        const hw::NodeId from = waiting.request.node;
        const hw::NodeId to = waiting.request.destination;
        std::string what =
            "its launch of a message for node " + std::to_string(to.index()) + " waits ";
        std::string for_whom = name();
        switch (obstacle(waiting.request, domain().now())) {
            case Obstacle::kToDestination:
                what += "until a message in transit to that node is received" + as_many;
                for_whom = core_name(to);
                break;
            case Obstacle::kFromNode:
                what += "until a message in transit from its own node is received" + as_many;
                break;
            default:
                what += "for the end of the gap";
        }
        report.push_back({core_name(from), for_whom, what});
    }
}

}  // namespace weir::network
