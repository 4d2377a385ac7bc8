#include "experiments/trace/measurements/measurements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace weir::experiments::trace {

namespace {

bool is_short(const MessageRow& message) { return message.body_bytes == hw::Bytes(0); }

MaybeCycles latency_of(const MessageRow& message) {
    return between(message.times.launch, message.times.notify);
}

/// Durations of the short messages of one length.
struct Durations {
    std::int64_t messages = 0;
    std::int64_t interrupted = 0;
    Summarized send;
    Summarized receive;
    Summarized receive_without_sends;
    Summarized latency;
    Summarized latency_without_hops;
    Summarized unloaded_latency;

    void add(const MessageRow& message, bool was_interrupted, std::int64_t handler_sends) {
        const hw::MessageTimes& times = message.times;
        messages += 1;
        interrupted += was_interrupted ? 1 : 0;
        if (!was_interrupted) {
            send.add(between(times.compose, times.launch) - MaybeCycles(message.launch_blocked));
        }
        const MaybeCycles handling = between(times.handler_begin, times.handler_end);
        receive.add(handling);
        receive_without_sends.add(handling - MaybeCycles(handler_sends));
        latency.add(latency_of(message));
        latency_without_hops.add(latency_of(message) - MaybeCycles(message.hops));
        unloaded_latency.add(MaybeCycles(message.unloaded) +
                             between(times.header_arrival, times.notify));
    }
};

/// Launch of a message, or its entry into the interrupt, at a node.
struct NodeEvent {
    hw::Cycles cycle;
    hw::Cycles handler_end;
};

/// Events of each node, those of a cycle in the order of messages.
using NodeEvents = std::map<hw::NodeId, std::vector<NodeEvent>>;

struct MeasuredGaps {
    Summary all;
    std::vector<Gaps::AtNode> by_node;
};

// Times between consecutive events of a node.
MeasuredGaps gaps_between(NodeEvents nodes, CycleWindow window) {
    const auto is_before = [](const NodeEvent& a, const NodeEvent& b) { return a.cycle < b.cycle; };
    Summarized all;
    MeasuredGaps gaps;
    for (auto& [node, events] : nodes) {
        // Launches usually are in this order.
        if (!std::is_sorted(events.begin(), events.end(), is_before)) {
            std::stable_sort(events.begin(), events.end(), is_before);
        }
        Summarized of_node;
        for (std::size_t i = 1; i < events.size(); ++i) {
            if (lies_in(window, events[i].handler_end)) {
                const MaybeCycles gap = between(events[i - 1].cycle, events[i].cycle);
                all.add(gap);
                of_node.add(gap);
            }
        }
        if (of_node.summary().count > 0) {
            gaps.by_node.push_back({.node = node, .gap = of_node.summary()});
        }
    }
    gaps.all = all.summary();
    return gaps;
}

}  // namespace

void Summarized::add(MaybeCycles duration) {
    if (!duration.is_known()) {
        return;
    }
    const std::int64_t cycles = duration.count();
    minimum_ = count_ == 0 ? cycles : std::min(minimum_, cycles);
    maximum_ = count_ == 0 ? cycles : std::max(maximum_, cycles);
    count_ += 1;
    sum_.add(cycles);
}

Summary Summarized::summary() const {
    return {.count = count_,
            .mean_cycles =
                count_ == 0 ? 0.0 : static_cast<double>(sum_.count()) / static_cast<double>(count_),
            .minimum = hw::Cycles(minimum_),
            .maximum = hw::Cycles(maximum_)};
}

std::vector<std::int64_t> handler_send_cycles(const Trace& trace) {
    std::vector<CycleTotal> totals(trace.messages.size());
    for (const MessageRow& message : trace.messages) {
        const MaybeCycles send = between(message.times.compose, message.times.launch);
        const MessageRow* parent = message.parent.valid() ? trace.find(message.parent) : nullptr;
        if (parent != nullptr && send.is_known()) {
            totals[trace.index_of(*parent)].add(send.count());
        }
    }
    std::vector<std::int64_t> cycles;
    cycles.reserve(totals.size());
    for (const CycleTotal& total : totals) {
        cycles.push_back(total.count());
    }
    return cycles;
}

bool send_was_interrupted(const Trace& trace, IntervalCursor& intervals,
                          const MessageRow& message) {
    if (message.parent.valid()) {
        return false;
    }
    require_core_intervals(trace, message.source(), "the detection of interrupted sends");
    const hw::MessageTimes& times = message.times;
    if (times.compose >= hw::kNever || times.launch >= hw::kNever) {
        return false;
    }
    for (const CoreIntervalRow& interval : intervals.from(message.source(), times.compose)) {
        if (interval.begin >= times.launch) {
            break;
        }
        const bool is_interrupt =
            interval.state == hw::CoreState::kHandler || interval.state == hw::CoreState::kTrap;
        if (is_interrupt && interval.end > times.compose) {
            return true;
        }
    }
    return false;
}

std::vector<LogpParameters> logp_parameters(const Trace& trace, CycleWindow window) {
    const bool has_intervals = trace.has("core_intervals");
    const std::vector<std::int64_t> sends = handler_send_cycles(trace);
    IntervalCursor intervals(trace);
    std::map<std::pair<std::int64_t, hw::Bytes>, Durations> lengths;
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageRow& message = trace.messages[i];
        if (!is_short(message) || !lies_in(window, message.times.handler_end)) {
            continue;
        }
        const bool was_interrupted = has_intervals ? send_was_interrupted(trace, intervals, message)
                                                   : !message.parent.valid();
        lengths[{message.argument_words, message.bytes}].add(message, was_interrupted, sends[i]);
    }
    std::vector<LogpParameters> parameters;
    parameters.reserve(lengths.size());
    for (const auto& [length, durations] : lengths) {
        parameters.push_back(
            {.argument_words = length.first,
             .message_bytes = length.second,
             .messages = durations.messages,
             .interrupted_sends = durations.interrupted,
             .send_overhead = durations.send.summary(),
             .receive_overhead = durations.receive.summary(),
             .receive_overhead_without_sends = durations.receive_without_sends.summary(),
             .latency = durations.latency.summary(),
             .mean_latency_without_hops_cycles =
                 durations.latency_without_hops.summary().mean_cycles,
             .mean_unloaded_latency_cycles = durations.unloaded_latency.summary().mean_cycles});
    }
    return parameters;
}

network::CycleHistogram latencies(const Trace& trace, CycleWindow window) {
    network::CycleHistogram latencies;
    for (const MessageRow& message : trace.messages) {
        const MaybeCycles latency = latency_of(message);
        if (is_short(message) && lies_in(window, message.times.handler_end) && latency.is_known()) {
            latencies.add(latency.count());
        }
    }
    return latencies;
}

Gaps gaps(const Trace& trace, CycleWindow window) {
    NodeEvents launches;
    NodeEvents handlings;
    for (const MessageRow& message : trace.messages) {
        const hw::MessageTimes& times = message.times;
        if (times.launch < hw::kNever) {
            launches[message.source()].push_back({times.launch, times.handler_end});
        }
        if (times.handler_begin < hw::kNever) {
            handlings[message.destination].push_back({times.handler_begin, times.handler_end});
        }
    }
    MeasuredGaps sender = gaps_between(std::move(launches), window);
    MeasuredGaps receiver = gaps_between(std::move(handlings), window);
    return {.sender = sender.all,
            .receiver = receiver.all,
            .sender_by_node = std::move(sender.by_node),
            .receiver_by_node = std::move(receiver.by_node)};
}

std::vector<CoreStateShare> core_state_share(const Trace& trace, CycleWindow window) {
    std::map<hw::NodeId, std::map<hw::CoreState, CycleTotal>> nodes;
    for (const CoreIntervalRow& interval : trace.core_intervals) {
        if (window.overlaps(interval.begin, interval.end)) {
            nodes[interval.node][interval.state].add(
                (std::min(interval.end, window.end) - std::max(interval.begin, window.begin))
                    .count());
        }
    }
    std::vector<CoreStateShare> shares;
    for (const auto& [node, states] : nodes) {
        CycleTotal whole;
        for (const auto& [state, cycles] : states) {
            whole.add(cycles.count());
        }
        for (const auto& [state, cycles] : states) {
            shares.push_back({.node = node,
                              .state = std::string(hw::core_state_name(state)),
                              .total = hw::Cycles(cycles.count()),
                              .share = whole.count() == 0
                                           ? 0.0
                                           : static_cast<double>(cycles.count()) /
                                                 static_cast<double>(whole.count())});
        }
    }
    return shares;
}

std::optional<hw::Cycles> last_time(const Trace& trace, hw::Cycles hw::MessageTimes::*stage) {
    std::optional<hw::Cycles> last;
    for (const MessageRow& message : trace.messages) {
        const hw::Cycles time = message.times.*stage;
        if (time < hw::kNever) {
            last = std::max(last.value_or(time), time);
        }
    }
    return last;
}

std::vector<MarkSpan> mark_spans(const Trace& trace, std::string_view name) {
    std::vector<MarkSpan> spans;
    for (const MarkRow& mark : trace.marks) {
        if (trace.name_of(mark) != name) {
            continue;
        }
        if (spans.empty() || spans.back().node != mark.node) {
            spans.push_back(
                {.node = mark.node, .occurrences = 0, .first = mark.cycle, .last = mark.cycle});
        }
        MarkSpan& span = spans.back();
        span.occurrences += 1;
        span.first = std::min(span.first, mark.cycle);
        span.last = std::max(span.last, mark.cycle);
    }
    if (spans.empty()) {
        throw TraceError(fmt::format("{}: there is no mark '{}'; the trace's marks are: {}",
                                     trace.path(), name, fmt::join(mark_names(trace), ", ")));
    }
    return spans;
}

std::vector<std::string> mark_names(const Trace& trace) {
    std::set<std::int64_t> passed;
    for (const MarkRow& mark : trace.marks) {
        passed.insert(mark.name);
    }
    std::vector<std::string> names;
    names.reserve(passed.size());
    for (const std::int64_t name : passed) {
        names.push_back(trace.mark_names[static_cast<std::size_t>(name)]);
    }
    std::sort(names.begin(), names.end());
    return names;
}

void require_core_intervals(const Trace& trace, hw::NodeId node, std::string_view what) {
    if (trace.intervals_of(node).empty()) {
        throw TraceError(fmt::format("{}: there are no core intervals of node {}; {} needs them",
                                     trace.path(), node.index(), what));
    }
}

}  // namespace weir::experiments::trace
