#include "experiments/kinds/replay/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/rows/trace_schema.h"
#include "hw/controller/controller_registers.h"

namespace weir::experiments::kinds {

namespace {

// Time from `taken` to the event in a column; 0 if the trace ended before the event.
hw::Cycles since(hw::Cycles taken, const trace::Statement& row, int column) {
    return row.is_null(column) ? hw::Cycles(0)
                               : std::max(hw::Cycles(row.integer(column)) - taken, hw::Cycles(0));
}

// For messages of a node's threads: finds the message whose handler preceded each launch.
void find_consumed(const trace::TraceDatabase& trace,
                   const std::unordered_map<std::int64_t, std::size_t>& index,
                   std::vector<RecordedMessage>& messages) {
    trace::Statement events(trace, R"sql(
        SELECT destination_node AS node, handler_end_cycle AS cycle, 0 AS is_launch, message_id
        FROM messages WHERE launch_cycle IS NOT NULL AND handler_end_cycle IS NOT NULL
        UNION ALL
        SELECT source_node, launch_cycle, 1, message_id FROM messages WHERE launch_cycle IS NOT NULL
        ORDER BY node, cycle, is_launch, message_id)sql");
    std::int64_t node = -1;
    std::size_t consumed = RecordedMessage::kNone;
    while (events.step()) {
        if (events.integer(0) != node) {
            node = events.integer(0);
            consumed = RecordedMessage::kNone;
        }
        const std::size_t message = index.at(events.integer(3));
        if (events.integer(2) == 0) {
            consumed = message;
        } else {
            messages[message].consumed = consumed;
        }
    }
}

}  // namespace

std::pair<std::size_t, std::size_t> Recording::messages_of(hw::NodeId source) const {
    const auto before = [](const RecordedMessage& message, hw::NodeId node) {
        return message.source < node;
    };
    const auto index = [&](hw::NodeId node) {
        return std::lower_bound(messages.begin(), messages.end(), node, before) - messages.begin();
    };
    return {index(source), index(hw::NodeId(source.index() + 1))};
}

Recording Recording::read(const trace::TraceDatabase& trace) {
    trace::Statement rows(trace, R"sql(
        SELECT message_id, source_node, destination_node, parent_message_id, argument_words,
               body_bytes, launch_cycle, launch_blocked_cycles,
               max(coalesce(notify_cycle, header_arrival_cycle, launch_cycle),
                   coalesce(lag(handler_end_cycle) OVER before, 0),
                   coalesce(lag(dispose_cycle) OVER before, 0)) AS taken_cycle,
               receive_dma_begin_cycle, receive_dma_end_cycle, dispose_cycle, handler_end_cycle
        FROM messages WHERE launch_cycle IS NOT NULL
        WINDOW before AS (PARTITION BY destination_node ORDER BY handler_begin_cycle, message_id)
        ORDER BY source_node, launch_cycle, sequence)sql");
    Recording recording;
    std::vector<RecordedMessage>& messages = recording.messages;
    std::unordered_map<std::int64_t, std::size_t> index;
    std::vector<std::int64_t> parents;  // identifier of each message's parent; -1: sent by a thread
    while (rows.step()) {
        index.emplace(rows.integer(0), messages.size());
        parents.push_back(rows.is_null(3) ? -1 : rows.integer(3));
        const hw::Cycles taken(rows.integer(8));
        RecordedMessage& message = messages.emplace_back();
        message.source = hw::NodeId(static_cast<std::int32_t>(rows.integer(1)));
        message.destination = hw::NodeId(static_cast<std::int32_t>(rows.integer(2)));
        message.argument_words = static_cast<std::int32_t>(rows.integer(4));
        message.body_bytes = hw::Bytes(rows.integer(5));
        message.launch = hw::Cycles(rows.integer(6));
        message.launch_blocked = hw::Cycles(rows.integer(7));
        message.taken = taken;
        message.store_body = since(taken, rows, 9);
        message.body_stored = since(taken, rows, 10);
        message.dispose = since(taken, rows, 11);
        message.handler_end = since(taken, rows, 12);
        recording.cycles = std::max(recording.cycles, message.end());
    }
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto parent = index.find(parents[i]);
        // A message whose parent is not in the trace counts as sent by a thread.
        if (parent != index.end()) {
            messages[i].parent = parent->second;
            messages[parent->second].sent.push_back(i);
        }
    }
    find_consumed(trace, index, messages);
    trace::Statement latency(trace,
                             "SELECT avg(notify_cycle - launch_cycle) FROM messages "
                             "WHERE body_bytes = 0 AND handler_end_cycle IS NOT NULL");
    recording.latency_cycles = latency.step() ? latency.real(0) : 0.0;
    return recording;
}

RecordingNeeds RecordingNeeds::of(const trace::TraceDatabase& trace) {
    trace::Statement wrong(trace, R"sql(
        SELECT message_id FROM messages
        WHERE launch_cycle IS NOT NULL
            AND (argument_words NOT BETWEEN 0 AND ?1 - iif(body_bytes > 0, 2, 0)
                 OR body_bytes % ?2 <> 0
                 OR message_bytes <> ?3 + ?4 * argument_words + body_bytes)
        ORDER BY message_id LIMIT 1)sql");
    constexpr std::int64_t kMostArguments = WEIR_DESCRIPTOR_WORDS - 2;
    wrong.bind(1, kMostArguments);
    wrong.bind(2, std::int64_t{WEIR_DMA_ALIGNMENT});
    wrong.bind(3, std::int64_t{WEIR_HEADER_BYTES});
    wrong.bind(4, std::int64_t{WEIR_WORD_BYTES});
    if (wrong.step()) {
        throw trace::TraceError(fmt::format(
            "{}: {} cannot be launched by a controller; accepted: up to {} argument words, a body "
            "in multiples of {} bytes, and {} bytes, {} per argument and the body",
            trace.path(), trace::describe_message(wrong.integer(0)), kMostArguments,
            WEIR_DMA_ALIGNMENT, WEIR_HEADER_BYTES, WEIR_WORD_BYTES));
    }
    trace::Statement most(trace,
                          "SELECT count(*), max(body_bytes) FROM messages "
                          "WHERE launch_cycle IS NOT NULL");
    if (!most.step() || most.integer(0) == 0) {
        throw trace::TraceError(trace.path() +
                                ": the trace has no message; accepted: a trace of "
                                "a run that sends messages");
    }
    return {trace::trace_node_count(trace), hw::Bytes(most.integer(1))};
}

}  // namespace weir::experiments::kinds
