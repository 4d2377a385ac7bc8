#include "experiments/debug/stepping/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "experiments/kinds/kernel/machine_state.h"
#include "nodes/machine.h"

namespace weir::experiments::debug {

namespace {

using kinds::name_of;

constexpr std::array<NamedEvent, 8> kEvents{{
    {EventKind::kLaunch, "launch", "a launch completes: the message is in the output queue"},
    {EventKind::kEntry, "entry", "a message's first flit leaves the output queue"},
    {EventKind::kArrival, "arrival", "a message's last flit enters the input queue"},
    {EventKind::kHandler, "handler", "the core enters the interrupt for a message"},
    {EventKind::kHandled, "handled", "the core has left the interrupt for a message"},
    {EventKind::kStall, "stall", "a launch or an arrived flit has waited for room in a queue"},
    {EventKind::kLine, "line", "a request for a line of shared memory is complete"},
    {EventKind::kMark, "mark", "a kernel's thread passes a named point"},
}};

struct Stage {
    EventKind kind;
    hw::Cycles hw::MessageTimes::*time;
    bool is_at_sender;
};
constexpr std::array kStages{
    Stage{EventKind::kLaunch, &hw::MessageTimes::launch, true},
    Stage{EventKind::kEntry, &hw::MessageTimes::network_entry, true},
    Stage{EventKind::kArrival, &hw::MessageTimes::tail_arrival, false},
    Stage{EventKind::kHandler, &hw::MessageTimes::handler_begin, false},
};

std::string trip_of(const hw::Message& message) {
    return fmt::format("{}, for node {}", name_of(message), message.destination.index());
}

void add_stages(const hw::Message& message, hw::Cycles now, std::vector<Event>& events) {
    for (const Stage& stage : kStages) {
        if (message.times.*stage.time == now) {
            events.push_back({stage.kind, stage.is_at_sender ? message.source : message.destination,
                              trip_of(message)});
        }
    }
}

std::string wait_of(const hw::Stall& stall) {
    const std::string waiting =
        stall.waiting.valid() ? hw::described(stall.waiting) : "a launch that was given up";
    return fmt::format("{} has waited {} cycles for {} ({})", waiting,
                       (stall.end - stall.begin).count(), hw::described(stall.holder),
                       hw::stall_place_name(stall.place));
}

}  // namespace

std::span<const NamedEvent> named_events() { return kEvents; }

std::vector<std::string> lines_of(const std::vector<Event>& events) {
    std::vector<std::string> lines;
    lines.reserve(events.size());
    for (const Event& event : events) {
        lines.push_back(fmt::format("{:8} node {}: {}",
                                    kEvents.at(static_cast<std::size_t>(event.kind)).name,
                                    event.node.index(), event.text));
    }
    return lines;
}

std::vector<Event> TraceEvents::of_this_cycle() const {
    const hw::Cycles now = machine_->now();
    std::vector<Event> events = reported_in_ == now ? reported_ : std::vector<Event>();
    machine_->messages().for_each(
        [&](const hw::Message& message) { add_stages(message, now, events); });
    std::sort(events.begin(), events.end(), [](const Event& first, const Event& second) {
        return std::tie(first.node, first.kind, first.text) <
               std::tie(second.node, second.kind, second.text);
    });
    return events;
}

// Keeps the events of one cycle.
void TraceEvents::add(Event event) {
    if (machine_->now() != reported_in_) {
        reported_.clear();
        reported_in_ = machine_->now();
    }
    reported_.push_back(std::move(event));
}

void TraceEvents::message(const hw::Message& message) {
    if (message.times.handler_end < hw::kNever) {
        add({EventKind::kHandled, message.destination, trip_of(message)});
    }
    next_->message(message);
}

void TraceEvents::stall(const hw::Stall& stall) {
    add({EventKind::kStall, stall.node, wait_of(stall)});
    next_->stall(stall);
}

void TraceEvents::mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
                       std::int64_t value) {
    add({EventKind::kMark, node, fmt::format("{} {}", name, value)});
    next_->mark(node, name, cycle, value);
}

void TraceEvents::transaction(const hw::SharedTransaction& transaction) {
    add({EventKind::kLine, transaction.node,
         fmt::format("{} of line 0x{:08x}, begun in cycle {}",
                     hw::shared_request_name(transaction.request), transaction.line,
                     transaction.begin.count())});
    next_->transaction(transaction);
}

void TraceEvents::core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin,
                                hw::Cycles end, hw::MessageId message) {
    next_->core_interval(node, state, begin, end, message);
}
void TraceEvents::queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                              hw::Bytes bytes, std::int64_t messages) {
    next_->queue_level(node, queue, cycle, bytes, messages);
}
void TraceEvents::dma_transfer(const hw::DmaTransfer& transfer) { next_->dma_transfer(transfer); }
void TraceEvents::coherence_trap(const hw::CoherenceTrap& trap) { next_->coherence_trap(trap); }
void TraceEvents::shared_access(const hw::SharedAccess& access) { next_->shared_access(access); }
void TraceEvents::line_state(const hw::LineState& state) { next_->line_state(state); }
void TraceEvents::channel_name(std::string_view name) { next_->channel_name(name); }
void TraceEvents::channel_interval(const hw::ChannelInterval& interval) {
    next_->channel_interval(interval);
}
void TraceEvents::intervals_end(hw::Cycles end) { next_->intervals_end(end); }

}  // namespace weir::experiments::debug
