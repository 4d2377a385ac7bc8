#include "experiments/trace/measurements/program_times.h"

#include <algorithm>

#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::trace {

namespace {

// Load of a handler: over the time of this number of mean handlers before its begin.
constexpr std::int64_t kHandlersOfLoad = 10;

bool is_timed(const MessageRow& row) {
    return row.times.compose < hw::kNever && row.times.launch < hw::kNever &&
           row.times.handler_begin < hw::kNever && row.times.handler_end < hw::kNever;
}

void sort_by(hw::Cycles TimedMessage::*time, ProgramTimes& times,
             hw::PerNode<std::vector<std::size_t>>& nodes) {
    for (std::vector<std::size_t>& node : nodes) {
        std::stable_sort(node.begin(), node.end(), [&](std::size_t a, std::size_t b) {
            return times.messages[a].*time < times.messages[b].*time;
        });
    }
}

// Marks the thread's sends during which a handler began, and these handlers.
void mark_interruptions(ProgramTimes& times) {
    for (std::size_t node = 0; node < times.handled.size(); ++node) {
        const std::vector<std::size_t>& handled = times.handled[node];
        auto next = handled.begin();
        for (const std::size_t sent : times.sent_by_thread[node]) {
            TimedMessage& send = times.messages[sent];
            while (next != handled.end() && times.messages[*next].handler_begin < send.send_begin) {
                ++next;
            }
            for (auto during = next;
                 during != handled.end() && times.messages[*during].handler_begin < send.send_end;
                 ++during) {
                send.send_was_interrupted = true;
                times.messages[*during].interrupted_a_send = true;
            }
        }
    }
}

// Sets waited_for_handler and the load of each handled message.
void mark_queueing(ProgramTimes& times) {
    CycleTotal all;
    for (const TimedMessage& message : times.messages) {
        all.add((message.handler_end - message.handler_begin).count());
    }
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, times.messages.size()));
    const std::int64_t span = std::max<std::int64_t>(1, kHandlersOfLoad * all.count() / count);
    for (const std::vector<std::size_t>& handled : times.handled) {
        for (std::size_t i = 0; i < handled.size(); ++i) {
            TimedMessage& message = times.messages[handled[i]];
            const hw::Cycles begin = message.handler_begin - hw::Cycles(span);
            std::int64_t busy = 0;
            for (std::size_t before = i; before > 0; --before) {
                const TimedMessage& other = times.messages[handled[before - 1]];
                if (other.handler_end <= begin) {
                    break;
                }
                busy += (std::min(other.handler_end, message.handler_begin) -
                         std::max(other.handler_begin, begin))
                            .count();
            }
            message.load =
                std::clamp(static_cast<double>(busy) / static_cast<double>(span), 0.0, 1.0);
            message.waited_for_handler =
                i > 0 && times.messages[handled[i - 1]].handler_end >= message.handler_begin;
        }
    }
}

}  // namespace

ProgramTimes program_times(const Trace& trace, std::int64_t node_count) {
    ProgramTimes times;
    times.node_count = node_count;
    times.sent_by_thread.resize(times.node_count);
    times.handled.resize(times.node_count);
    std::vector<std::size_t> timed_at(trace.messages.size(), TimedMessage::kNone);
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageRow& row = trace.messages[i];
        if (!is_timed(row)) {
            continue;
        }
        timed_at[i] = times.messages.size();
        times.messages.push_back({.source = row.source(),
                                  .destination = row.destination,
                                  .hops = row.hops,
                                  .bytes = row.bytes,
                                  .body_bytes = row.body_bytes,
                                  .send_begin = row.times.compose,
                                  .send_end = row.times.launch,
                                  .handler_begin = row.times.handler_begin,
                                  .handler_end = row.times.handler_end,
                                  .body_stored = row.times.receive_dma_end});
    }
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageRow& row = trace.messages[i];
        const MessageRow* parent = row.parent.valid() ? trace.find(row.parent) : nullptr;
        if (timed_at[i] == TimedMessage::kNone) {
            continue;
        }
        TimedMessage& message = times.messages[timed_at[i]];
        times.handled[message.destination].push_back(timed_at[i]);
        if (!row.parent.valid()) {
            times.sent_by_thread[message.source].push_back(timed_at[i]);
        } else if (parent != nullptr && timed_at[trace.index_of(*parent)] != TimedMessage::kNone) {
            message.request = timed_at[trace.index_of(*parent)];
            times.messages[message.request].reply_cycles +=
                (message.send_end - message.send_begin).count();
        }
    }
    sort_by(&TimedMessage::send_begin, times, times.sent_by_thread);
    sort_by(&TimedMessage::handler_begin, times, times.handled);
    mark_interruptions(times);
    mark_queueing(times);
    return times;
}

}  // namespace weir::experiments::trace
