#include "experiments/trace/measurements/round_trip_breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "experiments/trace/measurements/maybe_cycles.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::trace {

namespace {

/// Request and its reply.
struct Exchange {
    const MessageRow* request = nullptr;
    const MessageRow* reply = nullptr;
    /// Messages that forwarded the request, last first: the first entry is the reply's parent.
    std::vector<const MessageRow*> handed_on;
    hw::Cycles begin;  ///< first cycle of the iteration

    [[nodiscard]] hw::Cycles end() const { return reply->times.handler_end; }
    [[nodiscard]] hw::NodeId node() const { return request->source(); }
};

/// Follows a reply back to the request of a thread that led to it. The result is nullopt if the
/// trace lacks a message in between, or if the reply goes to another node.
std::optional<Exchange> exchange_ending_in(const Trace& trace, const MessageRow& reply) {
    if (!reply.parent.valid() || reply.times.handler_end >= hw::kNever) {
        return std::nullopt;
    }
    Exchange exchange{.request = trace.find(reply.parent), .reply = &reply};
    // A chain longer than the number of messages is a cycle: handlers send after their messages
    // arrive.
    while (exchange.request != nullptr && exchange.request->parent.valid() &&
           exchange.handed_on.size() < trace.messages.size()) {
        exchange.handed_on.push_back(exchange.request);
        exchange.request = trace.find(exchange.request->parent);
    }
    if (exchange.request == nullptr || exchange.request->parent.valid() ||
        reply.destination != exchange.request->source()) {
        return std::nullopt;
    }
    return exchange;
}

[[noreturn]] void refuse_replies(const Trace& trace, const Exchange& exchange,
                                 const std::vector<Exchange>& all) {
    const auto replies = std::count_if(all.begin(), all.end(), [&](const Exchange& other) {
        return other.request == exchange.request;
    });
    throw TraceError(fmt::format("{}: {} has {} replies; a round trip has one", trace.path(),
                                 hw::described(exchange.request->id), replies));
}

void require_one_request_at_a_time(const Trace& trace, const Exchange& exchange) {
    const hw::Cycles launch = exchange.request->times.launch;
    if (launch < exchange.begin) {
        throw TraceError(fmt::format(
            "{}: {} was launched at cycle {}, before the previous reply was handled at cycle {}; "
            "round trips must not overlap",
            trace.path(), hw::described(exchange.request->id), launch.count(),
            exchange.begin.count()));
    }
}

// Orders exchanges by the rows of their requests; those of one request keep their order.
std::vector<Exchange> in_order_of_requests(const Trace& trace, std::vector<Exchange> all) {
    // For each row of the table `messages`, end of the previous row's range in the sorted
    // exchanges.
    std::vector<std::size_t> ends(trace.messages.size() + 1);
    for (const Exchange& exchange : all) {
        ends[trace.index_of(*exchange.request) + 1] += 1;
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Exchange> ordered(all.size());
    for (Exchange& exchange : all) {
        ordered[ends[trace.index_of(*exchange.request)]++] = std::move(exchange);
    }
    return ordered;
}

// Exchanges in the window, by node, then by the time when the request was composed. The first
// exchange of each node is left out, since its iteration has no begin.
std::vector<Exchange> find_exchanges(const Trace& trace, CycleWindow window) {
    std::vector<Exchange> found_backwards;
    for (const MessageRow& message : trace.messages) {
        if (auto exchange = exchange_ending_in(trace, message)) {
            found_backwards.push_back(std::move(*exchange));
        }
    }
    std::vector<Exchange> all = in_order_of_requests(trace, std::move(found_backwards));
    const auto comes_before = [](const Exchange& a, const Exchange& b) {
        const auto key = [](const Exchange& exchange) {
            const hw::Cycles compose = exchange.request->times.compose;
            return std::tuple(exchange.node(), compose < hw::kNever ? compose : hw::Cycles(-1),
                              exchange.request->id);
        };
        return key(a) < key(b);
    };
    // Few exchanges are out of order: requests are numbered in the order of their launches.
    if (!std::is_sorted(all.begin(), all.end(), comes_before)) {
        std::stable_sort(all.begin(), all.end(), comes_before);
    }
    // Replies to one request are adjacent.
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].request == all[i - 1].request &&
            (lies_in(window, all[i].end()) || lies_in(window, all[i - 1].end()))) {
            refuse_replies(trace, all[i], all);
        }
    }
    std::vector<Exchange> found;
    found.reserve(all.size());
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].node() == all[i - 1].node() && lies_in(window, all[i].end())) {
            found.push_back(all[i]);
            found.back().begin = all[i - 1].end();
            require_one_request_at_a_time(trace, found.back());
        }
    }
    return found;
}

/// Cycles of a node from the beginning of an iteration to the launch of its request, by activity.
struct BeforeLaunch {
    MaybeCycles compute;
    MaybeCycles wait;
    MaybeCycles send;
    MaybeCycles handler;
};

BeforeLaunch before_launch(IntervalCursor& intervals, const Exchange& exchange) {
    const hw::Cycles launch = exchange.request->times.launch;
    if (launch >= hw::kNever) {
        return {};
    }
    CycleTotal compute;
    CycleTotal wait;
    CycleTotal send;
    CycleTotal handler;
    for (const CoreIntervalRow& interval : intervals.from(exchange.node(), exchange.begin)) {
        if (interval.begin >= launch) {
            break;
        }
        const hw::Cycles cycles =
            std::min(interval.end, launch) - std::max(interval.begin, exchange.begin);
        if (cycles <= hw::Cycles(0)) {
            continue;
        }
        switch (interval.state) {
            case hw::CoreState::kCompute:
                compute.add(cycles.count());
                break;
            case hw::CoreState::kWait:
            case hw::CoreState::kDma:
            case hw::CoreState::kSwitch:
            case hw::CoreState::kMemoryWait:
            case hw::CoreState::kSynchronize:
                wait.add(cycles.count());
                break;
            case hw::CoreState::kSend:
            case hw::CoreState::kBlocked:
                send.add(cycles.count());
                break;
            case hw::CoreState::kHandler:
            case hw::CoreState::kTrap:
                handler.add(cycles.count());
                break;
            case hw::CoreState::kDone:
                break;
        }
    }
    return {MaybeCycles(compute.count()), MaybeCycles(wait.count()), MaybeCycles(send.count()),
            MaybeCycles(handler.count())};
}

/// Stages of a message from its launch to its interrupt.
struct Way {
    MaybeCycles unloaded{0};
    MaybeCycles contention{0};
    MaybeCycles notify{0};
    MaybeCycles queueing{0};

    static Way of(const MessageRow& message) {
        const hw::MessageTimes& times = message.times;
        const MaybeCycles unloaded(message.unloaded);
        return {unloaded, between(times.launch, times.header_arrival) - unloaded,
                between(times.header_arrival, times.notify),
                between(times.notify, times.handler_begin)};
    }
    friend Way operator+(const Way& a, const Way& b) {
        return {a.unloaded + b.unloaded, a.contention + b.contention, a.notify + b.notify,
                a.queueing + b.queueing};
    }
    [[nodiscard]] MaybeCycles sum() const { return unloaded + contention + notify + queueing; }
};

constexpr std::array kPartNames{
    "compute",
    "wait",
    "request_send",
    "interference",
    "request_network_unloaded",
    "request_network_contention",
    "request_notify",
    "request_queueing",
    "request_handler",
    "reply_send",
    "reply_network_unloaded",
    "reply_network_contention",
    "reply_notify",
    "reply_queueing",
    "reply_handler",
};
using Parts = std::array<MaybeCycles, kPartNames.size()>;

Parts parts_of(IntervalCursor& intervals, const Exchange& exchange) {
    Way handed_on;
    for (const MessageRow* message : exchange.handed_on) {
        handed_on = handed_on + Way::of(*message);
    }
    const BeforeLaunch before = before_launch(intervals, exchange);
    const Way request = Way::of(*exchange.request) + handed_on;
    const Way reply = Way::of(*exchange.reply);
    const hw::MessageTimes& asked = exchange.request->times;
    const hw::MessageTimes& answered = exchange.reply->times;
    return {before.compute,
            before.wait,
            before.send,
            before.handler,
            request.unloaded,
            request.contention,
            request.notify,
            request.queueing,
            between(asked.handler_begin, answered.compose) - handed_on.sum(),
            between(answered.compose, answered.launch),
            reply.unloaded,
            reply.contention,
            reply.notify,
            reply.queueing,
            between(answered.handler_begin, answered.handler_end)};
}

void require_exact_sum(const Trace& trace, const Exchange& exchange, const Parts& parts) {
    MaybeCycles sum(0);
    for (const MaybeCycles& part : parts) {
        sum = sum + part;
    }
    const std::int64_t length = (exchange.end() - exchange.begin).count();
    if (!sum.is_known() || sum.count() != length) {
        throw TraceError(fmt::format(
            "{}: the round trip of {} and its reply, {}, lasts from cycle {} to {}, {} cycles, but "
            "its parts sum to {}",
            trace.path(), hw::described(exchange.request->id), hw::described(exchange.reply->id),
            exchange.begin.count(), exchange.end().count(), length,
            sum.is_known() ? std::to_string(sum.count()) : "nothing, since a part is missing"));
    }
}

}  // namespace

std::vector<RoundTrip> round_trips(const Trace& trace, CycleWindow window) {
    std::vector<Exchange> exchanges = find_exchanges(trace, window);
    std::stable_sort(exchanges.begin(), exchanges.end(), [](const Exchange& a, const Exchange& b) {
        return std::pair(a.end(), a.node()) < std::pair(b.end(), b.node());
    });
    std::vector<RoundTrip> trips;
    trips.reserve(exchanges.size());
    for (const Exchange& exchange : exchanges) {
        trips.push_back({exchange.begin, exchange.end()});
    }
    return trips;
}

RoundTripBreakdown round_trip_breakdown(const Trace& trace, CycleWindow window) {
    const std::vector<Exchange> exchanges = find_exchanges(trace, window);
    CycleTotal total;
    std::array<CycleTotal, kPartNames.size()> totals;
    for (const Exchange& exchange : exchanges) {
        require_core_intervals(trace, exchange.node(), "the breakdown of round trips");
    }
    IntervalCursor intervals(trace);
    for (const Exchange& exchange : exchanges) {
        const Parts parts = parts_of(intervals, exchange);
        require_exact_sum(trace, exchange, parts);
        total.add((exchange.end() - exchange.begin).count());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            totals[i].add(parts[i].count());
        }
    }
    RoundTripBreakdown breakdown;
    breakdown.iterations = static_cast<std::int64_t>(exchanges.size());
    const auto mean = [&](std::int64_t cycles) {
        return exchanges.empty()
                   ? 0.0
                   : static_cast<double>(cycles) / static_cast<double>(breakdown.iterations);
    };
    breakdown.total = hw::Cycles(total.count());
    breakdown.mean_cycles = mean(total.count());
    for (std::size_t i = 0; i < totals.size(); ++i) {
        breakdown.parts.push_back({.name = kPartNames[i],
                                   .mean_cycles = mean(totals[i].count()),
                                   .total = hw::Cycles(totals[i].count())});
    }
    return breakdown;
}

}  // namespace weir::experiments::trace
