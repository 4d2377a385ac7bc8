#include "experiments/trace/measurements/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/trace/measurements/message_stages.h"
#include "experiments/trace/rows/table_columns.h"
#include "experiments/trace/rows/trace_schema.h"
#include "memory/coherence/line_states.h"

namespace weir::experiments::trace {

namespace {

/// Columns of `message` that message_at() reads.
constexpr const char* kSliceColumns =
    "message.message_id, message.destination_node, message.parent_message_id, "
    "message.argument_words, message.message_bytes, message.body_bytes, message.hops, "
    "message.unloaded_latency_cycles, message.launch_blocked_cycles, message.restored_words, "
    "message.compose_cycle, message.launch_cycle, message.network_entry_cycle, "
    "message.send_dma_end_cycle, message.tail_entry_cycle, message.first_arrival_cycle, "
    "message.header_arrival_cycle, message.tail_arrival_cycle, message.notify_cycle, "
    "message.handler_begin_cycle, message.code_begin_cycle, message.receive_dma_begin_cycle, "
    "message.code_end_cycle, message.receive_dma_end_cycle, message.dispose_cycle, "
    "message.handler_end_cycle";
constexpr int kMessageColumnCount = 26;

hw::NodeId node_in(const Statement& row, int column) {
    return hw::NodeId(static_cast<std::int32_t>(row.integer(column)));
}

hw::Cycles cycle_in(const Statement& row, int column) { return hw::Cycles(row.integer(column)); }

hw::Message message_at(const Statement& row, int column) {
    hw::Message message;
    message.id = message_id_of(row.integer(column));
    message.source = message.id.source;
    message.destination = node_in(row, ++column);
    if (!row.is_null(++column)) {
        message.parent = message_id_of(row.integer(column));
    }
    message.word_count = static_cast<std::int32_t>(row.integer(++column)) + 2;
    message.bytes = hw::Bytes(row.integer(++column));
    message.body_bytes = hw::Bytes(row.integer(++column));
    message.hops = static_cast<std::int32_t>(row.integer(++column));
    message.unloaded = cycle_in(row, ++column);
    message.launch_blocked = cycle_in(row, ++column);
    message.restored_words = static_cast<std::int32_t>(row.integer(++column));
    for (const auto stage : kMessageStages) {
        if (!row.is_null(++column)) {
            message.times.*stage = cycle_in(row, column);
        }
    }
    return message;
}

/// One row per handler on a track: on the core if the core's intervals name its message, otherwise
/// on the protocol processor. A handler that had not ended lasts until the trace's last cycle, ?1.
constexpr const char* kCreateHandlings = R"sql(
    CREATE TEMP TABLE handlings AS
    WITH on_core AS MATERIALIZED (
        SELECT message_id, min(begin_cycle) AS begin_cycle, max(end_cycle) AS end_cycle
        FROM core_intervals WHERE message_id IS NOT NULL GROUP BY message_id
    )
    SELECT message_id, {} AS track, begin_cycle, end_cycle FROM on_core
    UNION ALL
    SELECT message_id, {}, handler_begin_cycle, coalesce(handler_end_cycle, {})
    FROM messages
    WHERE message_id NOT IN (SELECT message_id FROM on_core)
        AND handler_begin_cycle < coalesce(handler_end_cycle, {}))sql";

constexpr const char* kLastCycle = R"sql(
    SELECT max(cycle) FROM (
        SELECT 0 AS cycle
        UNION ALL SELECT max(end_cycle) FROM core_intervals
        UNION ALL SELECT max(launch_cycle) FROM messages
        UNION ALL SELECT max(handler_end_cycle) FROM messages
        UNION ALL SELECT max(end_cycle) FROM dma_transfers
        UNION ALL SELECT max(end_cycle) FROM stalls
        UNION ALL SELECT max(begin_cycle) + 1 FROM transactions
        UNION ALL SELECT max(raised_cycle) + 1 FROM coherence_traps
        UNION ALL SELECT max(cycle) + 1 FROM line_states
        UNION ALL SELECT max(cycle) + 1 FROM queue_levels
        UNION ALL SELECT max(cycle) + 1 FROM marks))sql";

constexpr const char* kNodesOutOfRange = R"sql(
    SELECT node FROM (
        SELECT node FROM core_intervals
        UNION ALL SELECT source_node FROM messages
        UNION ALL SELECT destination_node FROM messages
        UNION ALL SELECT node FROM queue_levels
        UNION ALL SELECT node FROM dma_transfers
        UNION ALL SELECT node FROM stalls
        UNION ALL SELECT node FROM transactions
        UNION ALL SELECT home_node FROM transactions
        UNION ALL SELECT node FROM coherence_traps
        UNION ALL SELECT requesting_node FROM coherence_traps
        UNION ALL SELECT node FROM line_states
        UNION ALL SELECT node FROM marks)
    WHERE node NOT BETWEEN 0 AND {} LIMIT 1)sql";

/// Query of a table's rows that begin before ?2 and end at ?1 or later. Its columns are those of
/// the table, then the name of the request and the end.
template <class Row>
std::string requests_sql(std::string_view begin, std::string_view end) {
    std::string columns;
    for (const Column<Row>& column : table_of<Row>().columns) {
        columns += fmt::format("{}, ", column.name);
    }
    return fmt::format(
        "SELECT {}shared_requests.name, {} FROM {} JOIN shared_requests USING (request) "
        "WHERE {} >= ?1 AND {} < ?2 ORDER BY node, {}, line_address",
        columns, end, table_of<Row>().name, end, begin, begin);
}

template <class Row>
Row shared_row_at(const Statement& row) {
    Row loaded;
    int at = 0;
    for (const Column<Row>& column : table_of<Row>().columns) {
        // The number of a request is specific to the trace; the name of the request follows the
        // columns.
        if (column.kind != ColumnKind::kRequest) {
            column.set(loaded, row.is_null(at) ? kAbsent : row.integer(at));
        }
        ++at;
    }
    return loaded;
}

std::string cycles_text(CycleWindow cycles) {
    return cycles.end >= hw::kNever
               ? fmt::format("from cycle {} on", cycles.begin.count())
               : fmt::format("from cycle {} to {}", cycles.begin.count(), cycles.end.count());
}

}  // namespace

std::string_view track_name(Track track) {
    switch (track) {
        case Track::kProtocolProcessor:
            return "protocol processor";
        case Track::kSendDma:
            return "send DMA";
        case Track::kReceiveDma:
            return "receive DMA";
        case Track::kLaunchStall:
            return "launch stalled";
        case Track::kNetworkStop:
            return "network stopped";
        default:
            return "core";
    }
}

Timeline::Timeline(const TraceDatabase& trace, CycleWindow window)
    : trace_(trace),
      node_count_(static_cast<std::int32_t>(
          number("SELECT CAST(value AS INTEGER) FROM run WHERE key = 'node_count'"))) {
    kept_.begin = hw::Cycles(
        number("SELECT CAST(value AS INTEGER) FROM run WHERE key = 'window_begin_cycle'"));
    kept_.end = hw::Cycles(number(kLastCycle));
    const hw::Cycles last_kept(
        number("SELECT CAST(value AS INTEGER) FROM run "
               "WHERE key = 'window_end_cycle' AND value <> 'never'"));
    if (last_kept > hw::Cycles(0)) {
        kept_.end = std::min(kept_.end, last_kept);
    }
    window_ = {std::max(window.begin, kept_.begin), std::min(window.end, kept_.end)};
    if (window_.begin >= window_.end) {
        throw TraceError(fmt::format("{}: the trace has no cycles {}; it is {}", trace.path(),
                                     cycles_text(window), cycles_text(kept_)));
    }
    require_nodes_in_range();
    trace.execute("DROP TABLE IF EXISTS temp.handlings");
    trace.execute(fmt::format(kCreateHandlings, static_cast<int>(Track::kCore),
                              static_cast<int>(Track::kProtocolProcessor), kept_.end.count(),
                              kept_.end.count()));
    trace.execute("CREATE INDEX temp.handlings_by_message ON handlings (message_id)");
    trace.execute("DROP TABLE IF EXISTS temp.handler_parts");
    trace.execute(
        "CREATE TABLE temp.handler_parts AS SELECT message_id, begin_cycle, end_cycle "
        "FROM core_intervals WHERE message_id IS NOT NULL");
    trace.execute("CREATE INDEX temp.handler_parts_by_message ON handler_parts (message_id)");
}

std::int64_t Timeline::number(std::string_view sql) const {
    Statement row(trace_, sql);
    return row.step() ? row.integer(0) : 0;
}

CycleWindow Timeline::cut(CycleWindow whole) const {
    return {std::max(whole.begin, window_.begin), std::min(whole.end, window_.end)};
}

void Timeline::require_nodes_in_range() const {
    Statement row(trace_, fmt::format(kNodesOutOfRange, node_count_ - 1));
    if (row.step()) {
        throw TraceError(fmt::format("{}: there are rows of node {}, but node_count is {}",
                                     trace_.path(), row.integer(0), node_count_));
    }
}

std::vector<std::pair<std::string, std::string>> Timeline::run_info() const {
    Statement row(trace_, "SELECT key, value FROM run WHERE key NOT GLOB 'host_*' ORDER BY key");
    std::vector<std::pair<std::string, std::string>> info;
    while (row.step()) {
        info.emplace_back(row.text(0), row.text(1));
    }
    return info;
}

void Timeline::for_each_slice(const std::function<void(const Slice&)>& visit) const {
    // Columns: node, begin, end, name, handled message, columns of that message.
    const auto visit_all = [&](Track track, const std::string& sql) {
        Statement row(trace_, sql);
        row.bind(1, window_.begin.count());
        row.bind(2, window_.end.count());
        while (row.step()) {
            const CycleWindow whole{cycle_in(row, 1), cycle_in(row, 2)};
            Slice slice{node_in(row, 0), track, row.text(3), cut(whole), whole, {}, nullptr};
            hw::Message facts;
            if (!row.is_null(4)) {
                slice.message = message_id_of(row.integer(4));
            }
            if (!row.is_null(5)) {
                facts = message_at(row, 5);
                slice.facts = &facts;
            }
            visit(slice);
        }
    };
    visit_all(Track::kCore,
              fmt::format("SELECT slice.node, slice.begin_cycle, slice.end_cycle, core_states.name,"
                          " slice.message_id, {} FROM core_intervals AS slice "
                          "LEFT JOIN core_states USING (state) "
                          "LEFT JOIN messages AS message USING (message_id) "
                          "WHERE slice.end_cycle > ?1 AND slice.begin_cycle < ?2 "
                          "ORDER BY slice.node, slice.begin_cycle",
                          kSliceColumns));
    visit_all(Track::kProtocolProcessor,
              fmt::format("SELECT message.destination_node, slice.begin_cycle, slice.end_cycle, "
                          "'handler', message.message_id, {} "
                          "FROM temp.handlings AS slice JOIN messages AS message USING (message_id)"
                          " WHERE slice.track = {} AND slice.end_cycle > ?1 "
                          "AND slice.begin_cycle < ?2 "
                          "ORDER BY message.destination_node, slice.begin_cycle",
                          kSliceColumns, static_cast<int>(Track::kProtocolProcessor)));
}

void Timeline::for_each_handler_send(const std::function<void(const HandlerSend&)>& visit) const {
    // A trap divides a handler on the core into several slices, and likewise a send of the handler.
    Statement row(trace_, fmt::format(R"sql(
        SELECT handling.track, handling.begin_cycle,
               max(message.compose_cycle, coalesce(part.begin_cycle, 0)) AS shown_begin,
               min(message.launch_cycle, coalesce(part.end_cycle, message.launch_cycle))
                   AS shown_end, {}
        FROM messages AS message
        JOIN temp.handlings AS handling ON handling.message_id = message.parent_message_id
        LEFT JOIN temp.handler_parts AS part ON part.message_id = message.parent_message_id
        WHERE shown_end > max(?1, shown_begin) AND shown_begin < ?2
        ORDER BY message.source_node, shown_begin)sql",
                                      kSliceColumns));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        HandlerSend send{.track = static_cast<Track>(row.integer(0)),
                         .handler_begin = cycle_in(row, 1),
                         .message = message_at(row, 4)};
        send.cycles = cut({cycle_in(row, 2), cycle_in(row, 3)});
        send.whole = {send.message.times.compose, send.message.times.launch};
        visit(send);
    }
}

void Timeline::for_each_trip(const std::function<void(const Trip&)>& visit) const {
    // A message sent by a handler outside the trace is left out: its arrow has no slice to start
    // from.
    Statement row(trace_, fmt::format("SELECT {}, coalesce(sender.track, {}), handling.track, "
                                      "handling.begin_cycle FROM messages AS message "
                                      "JOIN temp.handlings AS handling USING (message_id) "
                                      "LEFT JOIN temp.handlings AS sender "
                                      "ON sender.message_id = message.parent_message_id "
                                      "WHERE message.launch_cycle - 1 BETWEEN ?1 AND ?2 - 1 "
                                      "AND handling.begin_cycle BETWEEN ?1 AND ?2 - 1 "
                                      "AND (message.parent_message_id IS NULL "
                                      "OR sender.message_id IS NOT NULL) "
                                      "ORDER BY message.message_id",
                                      kSliceColumns, static_cast<int>(Track::kCore)));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        Trip trip{.from_track = static_cast<Track>(row.integer(kMessageColumnCount)),
                  .to_track = static_cast<Track>(row.integer(kMessageColumnCount + 1)),
                  .handler_begin = cycle_in(row, kMessageColumnCount + 2),
                  .message = message_at(row, 0)};
        trip.departure = trip.message.times.launch - hw::Cycles(1);
        visit(trip);
    }
}

void Timeline::for_each_dma_slice(const std::function<void(const DmaSlice&)>& visit) const {
    Statement row(trace_, fmt::format("SELECT {}, transfer.node, transfer.begin_cycle, "
                                      "transfer.end_cycle, dma_engines.name, transfer.message_id, "
                                      "transfer.bytes, transfer.port_wait_cycles, "
                                      "transfer.queue_wait_cycles FROM dma_transfers AS transfer "
                                      "JOIN dma_engines USING (engine) "
                                      "LEFT JOIN messages AS message USING (message_id) "
                                      "WHERE dma_engines.name IN ('{}', '{}') "
                                      "AND transfer.end_cycle > ?1 AND transfer.begin_cycle < ?2 "
                                      "ORDER BY transfer.engine, transfer.node, "
                                      "transfer.begin_cycle",
                                      kSliceColumns, hw::dma_name(hw::DmaKind::kSend),
                                      hw::dma_name(hw::DmaKind::kReceive)));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        int column = kMessageColumnCount;
        DmaSlice slice;
        hw::DmaTransfer& transfer = slice.transfer;
        transfer.node = node_in(row, column);
        transfer.begin = cycle_in(row, ++column);
        transfer.end = cycle_in(row, ++column);
        const bool is_send = row.text(++column) == hw::dma_name(hw::DmaKind::kSend);
        transfer.engine = is_send ? hw::DmaKind::kSend : hw::DmaKind::kReceive;
        transfer.message = message_id_of(row.integer(++column));
        transfer.bytes = hw::Bytes(row.integer(++column));
        transfer.port_wait = cycle_in(row, ++column);
        transfer.queue_wait = cycle_in(row, ++column);
        slice.track = is_send ? Track::kSendDma : Track::kReceiveDma;
        slice.cycles = cut({transfer.begin, transfer.end});
        hw::Message facts;
        if (!row.is_null(0)) {
            facts = message_at(row, 0);
            slice.facts = &facts;
        }
        visit(slice);
    }
}

void Timeline::for_each_body_trip(const std::function<void(const BodyTrip&)>& visit) const {
    Statement row(trace_, R"sql(
        SELECT gather.node, gather.begin_cycle, scatter.node, scatter.begin_cycle
        FROM dma_transfers AS gather JOIN dma_transfers AS scatter USING (message_id)
        WHERE gather.engine = (SELECT engine FROM dma_engines WHERE name = ?3)
            AND scatter.engine = (SELECT engine FROM dma_engines WHERE name = ?4)
            AND gather.begin_cycle BETWEEN ?1 AND ?2 - 1
            AND scatter.begin_cycle BETWEEN gather.begin_cycle AND ?2 - 1
        ORDER BY message_id, gather.begin_cycle, scatter.begin_cycle)sql");
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    row.bind(3, hw::dma_name(hw::DmaKind::kSend));
    row.bind(4, hw::dma_name(hw::DmaKind::kReceive));
    while (row.step()) {
        visit({node_in(row, 0), cycle_in(row, 1), node_in(row, 2), cycle_in(row, 3)});
    }
}

void Timeline::for_each_stall(const std::function<void(const StallSlice&)>& visit) const {
    // A core and its protocol processor may wait for launches at the same time. If a later wait
    // outlasts an earlier one, it is shown from the end of the earlier one.
    Statement row(trace_, fmt::format(R"sql(
        WITH ordered AS (
            SELECT *, max(end_cycle) OVER (
                PARTITION BY node, place ORDER BY begin_cycle
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_end
            FROM stalls
        ), shown AS (
            SELECT *, CASE WHEN earlier_end > begin_cycle AND earlier_end < end_cycle
                           THEN earlier_end ELSE begin_cycle END AS shown_begin
            FROM ordered
        )
        SELECT node, name, shown_begin, begin_cycle, end_cycle, waiting_message_id,
               holder_message_id
        FROM shown JOIN stall_places USING (place)
        WHERE name IN ('{}', '{}') AND end_cycle > ?1 AND shown_begin < ?2
        ORDER BY place, node, begin_cycle)sql",
                                      hw::stall_place_name(hw::StallPlace::kLaunch),
                                      hw::stall_place_name(hw::StallPlace::kInputQueue)));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        StallSlice slice;
        const bool is_launch = row.text(1) == hw::stall_place_name(hw::StallPlace::kLaunch);
        slice.track = is_launch ? Track::kLaunchStall : Track::kNetworkStop;
        slice.cycles = cut({cycle_in(row, 2), cycle_in(row, 4)});
        slice.stall.node = node_in(row, 0);
        slice.stall.place = is_launch ? hw::StallPlace::kLaunch : hw::StallPlace::kInputQueue;
        slice.stall.begin = cycle_in(row, 3);
        slice.stall.end = cycle_in(row, 4);
        if (!row.is_null(5)) {
            slice.stall.waiting = message_id_of(row.integer(5));
        }
        if (!row.is_null(6)) {
            slice.stall.holder = message_id_of(row.integer(6));
        }
        visit(slice);
    }
}

void Timeline::for_each_queue_level(const std::function<void(const QueueLevel&)>& visit) const {
    Statement row(trace_,
                  "SELECT level.node, level.queue, queue_kinds.name, level.cycle, level.bytes, "
                  "lead(level.cycle, 1, ?1) OVER (PARTITION BY level.node, level.queue "
                  "ORDER BY level.cycle) AS until_cycle, "
                  "row_number() OVER (PARTITION BY level.node, level.queue ORDER BY level.cycle) "
                  "FROM queue_levels AS level JOIN queue_kinds USING (queue) "
                  "WHERE level.cycle < ?1 ORDER BY level.node, level.queue, level.cycle");
    row.bind(1, window_.end.count());
    while (row.step()) {
        const CycleWindow whole{cycle_in(row, 3), cycle_in(row, 5)};
        QueueLevel level{node_in(row, 0), row.text(2), window_.begin, hw::Bytes(0)};
        // Queues are empty at the begin of a run; if the trace begins later, the queues' first
        // levels are unknown.
        const bool is_first = row.integer(6) == 1;
        if (is_first && kept_.begin == hw::Cycles(0) && whole.begin > window_.begin) {
            visit(level);
        }
        if (whole.end > window_.begin) {
            level.cycle = std::max(whole.begin, window_.begin);
            level.bytes = hw::Bytes(row.integer(4));
            visit(level);
        }
    }
}

void Timeline::for_each_transaction(
    const std::function<void(const TransactionSlice&)>& visit) const {
    using Row = hw::SharedTransaction;
    const auto columns = static_cast<int>(table_of<Row>().columns.size());
    const std::string end = fmt::format("coalesce(use_cycle, fill_cycle, {})", kept_.end.count());
    Statement row(trace_, requests_sql<Row>("begin_cycle", end));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        const Row transaction = shared_row_at<Row>(row);
        const CycleWindow whole{transaction.begin, cycle_in(row, columns + 1)};
        visit({cut(whole), whole, row.text(columns), transaction});
    }
}

void Timeline::for_each_coherence_trap(
    const std::function<void(const CoherenceTrapSlice&)>& visit) const {
    using Row = hw::CoherenceTrap;
    const auto columns = static_cast<int>(table_of<Row>().columns.size());
    const std::string end = fmt::format("coalesce(end_cycle, {})", kept_.end.count());
    Statement row(trace_, requests_sql<Row>("raised_cycle", end));
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        const Row trap = shared_row_at<Row>(row);
        const CycleWindow whole{trap.raised, cycle_in(row, columns + 1)};
        visit({cut(whole), whole, row.text(columns), trap});
    }
}

void Timeline::for_each_line_state(const std::function<void(const LineStateSlice&)>& visit) const {
    Statement row(trace_,
                  "SELECT node, sequence, cycle, line_address, pointers, name, "
                  "lead(cycle, 1, ?1) OVER (PARTITION BY node, line_address, pointers IS NULL "
                  "ORDER BY sequence) AS until_cycle "
                  "FROM line_states JOIN line_state_names USING (state) "
                  "ORDER BY node, line_address, pointers IS NOT NULL, sequence");
    const std::string none = memory::name_of_line_state(number_of(memory::CacheState::kInvalid));
    row.bind(1, kept_.end.count());
    while (row.step()) {
        const CycleWindow whole{cycle_in(row, 2), cycle_in(row, 6)};
        const bool is_inside = whole.begin < window_.end && whole.end > window_.begin;
        if (whole.begin == whole.end || !is_inside || row.text(5) == none) {
            continue;
        }
        visit({cut(whole),
               whole,
               row.text(5),
               {.node = node_in(row, 0),
                .sequence = row.integer(1),
                .cycle = whole.begin,
                .line = row.integer(3),
                .pointers = row.is_null(4) ? hw::LineState::kOfCache : row.integer(4)}});
    }
}

void Timeline::for_each_mark(const std::function<void(const Mark&)>& visit) const {
    Statement row(trace_,
                  "SELECT node, name, occurrence, cycle, value FROM marks "
                  "WHERE cycle >= ?1 AND cycle < ?2 ORDER BY node, cycle, name, occurrence");
    row.bind(1, window_.begin.count());
    row.bind(2, window_.end.count());
    while (row.step()) {
        visit({node_in(row, 0), row.text(1), row.integer(2), cycle_in(row, 3), row.integer(4)});
    }
}

}  // namespace weir::experiments::trace
