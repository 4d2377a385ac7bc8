#include "network/traffic/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::network {

namespace {

constexpr hw::Cycles kSlice(4096);

}  // namespace

OpenLoop::OpenLoop(hw::ClockDomain& domain, std::vector<PacketNetwork*> copies,
                   const TrafficParameters& parameters, const MakeSource& make_source)
    : domain_(domain),
      copies_(std::move(copies)),
      measurement_begin_(parameters.warm_up_cycles.value()),
      measurement_end_(measurement_begin_ + parameters.measurement_cycles.value()),
      drain_end_(measurement_end_ + parameters.drain_cycles.value()),
      record_(measurement_begin_, measurement_end_) {
    record_.close(drain_end_);
    for (std::size_t copy = 0; copy < copies_.size(); ++copy) {
        copies_[copy]->add_endpoints({.make_source =
                                          [&, copy](hw::NodeId node) {
                                              return std::make_unique<DealtPacketSource>(
                                                  make_source(node), copy, copies_.size());
                                          },
                                      .packets = packets_,
                                      .record = record_,
                                      .interleave_packets = parameters.interleave_packets.value(),
                                      .await_tail_credit = parameters.await_tail_credit.value(),
                                      .of_copy = copy == 0 ? "" : "_copy_" + std::to_string(copy)});
    }
}

void OpenLoop::tell_trips(std::function<void(const PacketTrip&)> tell) {
    record_.tell_trips(std::move(tell));
    for (PacketNetwork* copy : copies_) {
        copy->keep_routes(record_.routers_passed());
    }
}

TrafficResult OpenLoop::run(const Limits& limits) {
    if (measure_links(limits)) {
        drain(limits);
    }
    result_.end = stopped_.value_or(record_.all_tagged_arrived() ? TrafficEnd::kDrained
                                                                 : TrafficEnd::kSaturated);
    result_.cycles = (stopped_ ? domain_.now() : record_.closed_from()).count();
    const double node_cycles = static_cast<double>(copies_.front()->node_count()) *
                               static_cast<double>((measurement_end_ - measurement_begin_).count());
    result_.offered_load = static_cast<double>(record_.measured_generated().count()) / node_cycles;
    result_.accepted_load = static_cast<double>(record_.measured_taken().count()) / node_cycles;
    result_.packets_measured = record_.tagged_generated();
    result_.packets_missing = record_.tagged_generated() - record_.tagged_arrived();
    result_.mean_hops = mean_hops();
    require_conservation();
    return result_;
}

// Runs all cycles before `end`; false if the run must end.
bool OpenLoop::advance_to(hw::Cycles end, const Limits& limits) {
    for (hw::Cycles begin = std::max(domain_.now(), hw::Cycles(0)); begin < end && !stopped_;) {
        begin = std::min(begin + kSlice, end);
        domain_.run_until(begin - hw::Cycles(1));
        const bool has_packets = packets_.in_use() > 0;
        if (has_packets && !domain_.has_wake_ups()) {
            stopped_ = TrafficEnd::kDeadlock;
        } else if (has_packets && begin - domain_.last_progress() > limits.watchdog_cycles) {
            stopped_ = TrafficEnd::kNoProgress;
        } else if (!limits.proceed()) {
            stopped_ = TrafficEnd::kInterrupted;
        } else if (!record_.fault().empty()) {
            throw std::logic_error(record_.fault());
        }
    }
    return !stopped_;
}

void OpenLoop::drain(const Limits& limits) {
    generate_before(measurement_end_);
    record_.end_measurement();
    for (hw::Cycles end = measurement_end_; end < drain_end_ && record_.is_open(end);) {
        end = std::min(end + kSlice, drain_end_);
        if (!advance_to(end, limits)) {
            return;
        }
    }
    generate_before(record_.closed_from());
    empty_network(limits);
}

void OpenLoop::generate_before(hw::Cycles cycle) {
    for (PacketNetwork* copy : copies_) {
        copy->generate_before(cycle);
    }
}

// Packets are in the network also if their arrivals have been recorded, but are yet to come.
void OpenLoop::empty_network(const Limits& limits) {
    hw::Cycles end = domain_.now() + hw::Cycles(1);
    while ((packets_.in_use() > 0 || record_.last_arrival() > domain_.now()) &&
           advance_to(end, limits)) {
        end += kSlice;
    }
}

double OpenLoop::progress() const {
    return std::clamp(
        static_cast<double>(domain_.now().count()) / static_cast<double>(measurement_end_.count()),
        0.0, 1.0);
}

hw::WaitReport OpenLoop::waits() const {
    hw::WaitReport report;
    for (const PacketNetwork* copy : copies_) {
        copy->report_waits(report);
    }
    return report;
}

// Runs warm-up and measurement; false if the run must end.
//
// A flit that is sent in cycle t is on its link in the flit_cycles cycles from t on. For each of
// the last flit_cycles cycles up to `end`, take the flits sent before it. Their sum is the number
// of cycles before `end` with a flit on the link. The last flits count only with their part before
// `end`. Cycles in the sums of both the begin and the end of the measurement cancel out.
bool OpenLoop::measure_links(const Limits& limits) {
    const hw::Cycles flit_cycles = copies_.front()->design().router.flit_cycles;
    const hw::Cycles one(1);
    std::vector<std::int64_t> busy(num_edges(copies_.front()->topology().graph()));
    const auto add_through = [&](hw::Cycles first, hw::Cycles last, std::int64_t sign) {
        for (hw::Cycles cycle = std::max(first, hw::Cycles(0)); cycle <= last; cycle += one) {
            if (!advance_to(cycle, limits)) {
                return false;
            }
            add_sent_flits(cycle - one, sign, busy);
        }
        return true;
    };
    const bool has_ended =
        add_through(measurement_begin_ - flit_cycles + one,
                    std::min(measurement_begin_, measurement_end_ - flit_cycles), -1) &&
        add_through(std::max(measurement_begin_, measurement_end_ - flit_cycles) + one,
                    measurement_end_, 1);
    if (!has_ended) {
        return false;
    }
    const double most_cycles = static_cast<double>(copies_.size()) *
                               static_cast<double>((measurement_end_ - measurement_begin_).count());
    for (const std::int64_t cycles : busy) {
        result_.channel_utilisation.push_back(static_cast<double>(cycles) / most_cycles);
    }
    return true;
}

// Adds to each link's sum `times` times the number of flits sent over the link in all copies, up to
// and including cycle `through`.
void OpenLoop::add_sent_flits(hw::Cycles through, std::int64_t times,
                              std::vector<std::int64_t>& sums) const {
    for (const PacketNetwork* copy : copies_) {
        const std::vector<ChannelCount> counts = copy->channel_counts(through);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += times * counts[i].sent.count();
        }
    }
}

// A route through n routers has n - 1 channels between routers, and the nodes' channels.
std::optional<double> OpenLoop::mean_hops() const {
    if (record_.tagged_arrived() == 0) {
        return std::nullopt;
    }
    const CountedHops counted = copies_.front()->topology().counted();
    return static_cast<double>(record_.routers_of_tagged()) /
               static_cast<double>(record_.tagged_arrived()) -
           1.0 + (counted.injection ? 1.0 : 0.0) + (counted.ejection ? 1.0 : 0.0);
}

// Conservation: each sent flit has arrived or is in a channel or router, and each generated packet
// was sent or is in a queue. At a regular end of the run nothing is in flight.
void OpenLoop::require_conservation() const {
    if (!record_.fault().empty()) {
        throw std::logic_error(record_.fault());
    }
    hw::Flits in_channels;
    std::int64_t queued = 0;
    for (const PacketNetwork* copy : copies_) {
        in_channels += copy->flits_in_flight();
        queued += static_cast<std::int64_t>(copy->queued());
    }
    const auto on_their_way = static_cast<std::int64_t>(packets_.in_use());
    const bool ended = result_.end == TrafficEnd::kDrained || result_.end == TrafficEnd::kSaturated;
    if (record_.sent() != record_.taken() + in_channels ||
        record_.packets_generated() != record_.packets_arrived() + on_their_way + queued ||
        (ended && on_their_way > 0)) {
        throw std::logic_error(fmt::format(
            "flits are not conserved: {} sent, {} taken, {} in channels; packets: {} generated, {} "
            "arrived, {} on their way, {} queued",
            record_.sent().count(), record_.taken().count(), in_channels.count(),
            record_.packets_generated(), record_.packets_arrived(), on_their_way, queued));
    }
}

}  // namespace weir::network
