#include "experiments/trace/measurements/long_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace weir::experiments::trace {

std::vector<LongMessages> long_messages(const TraceDatabase& trace, CycleWindow window,
                                        bool handlers_wait) {
    const std::string taken =
        "body_bytes > 0 AND " + inside_window("receive_dma_end_cycle", window);
    require_core_intervals(trace,
                           "SELECT DISTINCT source_node AS node FROM messages "
                           "WHERE parent_message_id IS NULL AND " +
                               taken,
                           "telling interrupted sends from others");
    const std::string sql = fmt::format(
        R"sql(
        WITH handler_sends AS MATERIALIZED (
            SELECT parent_message_id AS message_id, sum(launch_cycle - compose_cycle) AS send_cycles
            FROM messages WHERE parent_message_id IS NOT NULL GROUP BY parent_message_id
        ), stops AS MATERIALIZED (
            SELECT waiting_message_id AS message_id, sum(end_cycle - begin_cycle) AS stopped_cycles
            FROM stalls JOIN stall_places USING (place)
            WHERE name = '{input_queue}' AND waiting_message_id IS NOT NULL
            GROUP BY waiting_message_id
        ), port_waits AS MATERIALIZED (
            SELECT message_id,
                   sum(port_wait_cycles) FILTER (WHERE name = '{send_engine}') AS send_port_wait,
                   sum(port_wait_cycles) FILTER (WHERE name = '{receive_engine}')
                       AS receive_port_wait
            FROM dma_transfers JOIN dma_engines USING (engine) GROUP BY message_id
        ), received AS MATERIALIZED (
            SELECT *, {interrupted} AS interrupted FROM messages AS message WHERE {taken}
        ), durations AS MATERIALIZED (
            SELECT message_bytes, body_bytes, hops, interrupted,
                CASE WHEN NOT interrupted
                     THEN launch_cycle - compose_cycle - launch_blocked_cycles END AS send,
                handler_end_cycle - handler_begin_cycle - coalesce(send_cycles, 0)
                    - CASE WHEN {handlers_wait} AND handler_end_cycle >= receive_dma_end_cycle
                                AND receive_dma_begin_cycle >= handler_begin_cycle
                           THEN receive_dma_end_cycle - receive_dma_begin_cycle ELSE 0 END
                    AS receive,
                first_arrival_cycle - launch_cycle AS first_byte,
                unloaded_latency_cycles, header_arrival_cycle - first_arrival_cycle AS header,
                receive_dma_begin_cycle - header_arrival_cycle AS header_to_dma,
                tail_entry_cycle + 1 - compose_cycle AS sender,
                receive_dma_end_cycle - compose_cycle AS end_to_end,
                receive_dma_end_cycle - tail_arrival_cycle AS drain,
                coalesce(stopped_cycles, 0) AS stopped,
                send_port_wait, receive_port_wait,
                1.0 * (tail_arrival_cycle - first_arrival_cycle) / (message_bytes - 1) AS gap
            FROM received LEFT JOIN handler_sends USING (message_id)
                LEFT JOIN stops USING (message_id) LEFT JOIN port_waits USING (message_id)
        )
        SELECT message_bytes, count(*), sum(interrupted), avg(gap),
               {send}, {receive}, {first_byte}, {header_to_dma}, {sender}, {end_to_end}, {drain},
               {stopped}, {send_port_wait}, {receive_port_wait}, avg(hops),
               max(body_bytes), avg(unloaded_latency_cycles) - min(header)
        FROM durations GROUP BY message_bytes ORDER BY message_bytes)sql",
        fmt::arg("input_queue", hw::stall_place_name(hw::StallPlace::kInputQueue)),
        fmt::arg("send_engine", hw::dma_name(hw::DmaKind::kSend)),
        fmt::arg("receive_engine", hw::dma_name(hw::DmaKind::kReceive)),
        fmt::arg("handlers_wait", handlers_wait ? 1 : 0),
        fmt::arg("interrupted", send_was_interrupted()), fmt::arg("taken", taken),
        fmt::arg("send", summary_columns("send")), fmt::arg("receive", summary_columns("receive")),
        fmt::arg("first_byte", summary_columns("first_byte")),
        fmt::arg("header_to_dma", summary_columns("header_to_dma")),
        fmt::arg("sender", summary_columns("sender")),
        fmt::arg("end_to_end", summary_columns("end_to_end")),
        fmt::arg("drain", summary_columns("drain")),
        fmt::arg("stopped", summary_columns("stopped")),
        fmt::arg("send_port_wait", summary_columns("send_port_wait")),
        fmt::arg("receive_port_wait", summary_columns("receive_port_wait")));
    Statement rows(trace, sql);
    std::vector<LongMessages> lengths;
    while (rows.step()) {
        lengths.push_back({.message_bytes = hw::Bytes(rows.integer(0)),
                           .body_bytes = hw::Bytes(rows.integer(45)),
                           .mean_hops = rows.real(44),
                           .messages = rows.integer(1),
                           .interrupted_sends = rows.integer(2),
                           .send_overhead = summary_at(rows, 4),
                           .receive_overhead = summary_at(rows, 8),
                           .first_byte_latency = summary_at(rows, 12),
                           .mean_unloaded_first_byte_cycles = rows.real(46),
                           .header_to_dma = summary_at(rows, 16),
                           .sender = summary_at(rows, 20),
                           .end_to_end = summary_at(rows, 24),
                           .drain_after_tail = summary_at(rows, 28),
                           .network_stopped = summary_at(rows, 32),
                           .send_port_wait = summary_at(rows, 36),
                           .receive_port_wait = summary_at(rows, 40),
                           .mean_gap_cycles_per_byte = rows.real(3)});
    }
    return lengths;
}

hw::Bytes QueueCourse::peak() const {
    hw::Bytes peak;
    for (const Level& level : levels) {
        peak = std::max(peak, level.bytes);
    }
    return peak;
}

// The first one may be shorter than the others: to the first boundary of memory.
std::vector<QueueCourse::Level> QueueCourse::bursts_without_wait() const {
    std::vector<Level> bursts;
    std::optional<hw::Cycles> first_gap;
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const bool is_burst = levels[i].bytes < levels[i - 1].bytes && levels[i].cycle > dma_begin;
        if (!is_burst) {
            continue;
        }
        if (bursts.size() > 1) {
            const hw::Cycles gap = levels[i].cycle - bursts.back().cycle;
            if (gap > first_gap.value_or(gap)) {
                break;
            }
            first_gap = gap;
        }
        bursts.push_back(levels[i]);
    }
    return bursts;
}

std::optional<double> QueueCourse::drained_bytes_per_cycle() const {
    const std::vector<Level> bursts = bursts_without_wait();
    if (bursts.size() < 4) {
        return std::nullopt;
    }
    const Level& first = bursts[1];
    const Level& last = bursts.back();
    return static_cast<double>((first.bytes - last.bytes).count()) /
           static_cast<double>((last.cycle - first.cycle).count());
}

// There are bursts after those that never waited.
bool QueueCourse::catches_up() const {
    const std::vector<Level> bursts = bursts_without_wait();
    return bursts.size() > 2 && bursts.back().cycle < tail_arrival &&
           bursts.back().bytes < bursts[1].bytes;
}

std::optional<hw::Bytes> QueueCourse::crossover_bytes() const {
    const double bytes_per_cycle = static_cast<double>(message_bytes.count()) /
                                   static_cast<double>((tail_arrival + hw::Cycles(1)).count());
    if (!catches_up()) {
        return std::nullopt;
    }
    const hw::Cycles caught_up = bursts_without_wait().back().cycle;
    return hw::Bytes(std::llround(bytes_per_cycle * static_cast<double>(caught_up.count())));
}

std::vector<QueueCourse::Level> QueueCourse::until_caught_up() const {
    const std::vector<Level> bursts = bursts_without_wait();
    const hw::Cycles end = bursts.empty() ? dma_end : bursts.back().cycle;
    std::vector<Level> part;
    std::copy_if(levels.begin(), levels.end(), std::back_inserter(part),
                 [end](const Level& level) { return level.cycle <= end; });
    return part;
}

std::optional<QueueCourse> input_queue_course(const TraceDatabase& trace, CycleWindow window) {
    Statement message(trace,
                      "SELECT message_bytes, destination_node, first_arrival_cycle, "
                      "header_arrival_cycle, receive_dma_begin_cycle, tail_arrival_cycle, "
                      "receive_dma_end_cycle FROM messages WHERE body_bytes > 0 AND " +
                          inside_window("receive_dma_end_cycle", window) +
                          " ORDER BY first_arrival_cycle LIMIT 1");
    if (!message.step()) {
        return std::nullopt;
    }
    const hw::Cycles first(message.integer(2));
    const auto since_first = [&](int column) {
        return hw::Cycles(message.integer(column)) - first;
    };
    QueueCourse course{.message_bytes = hw::Bytes(message.integer(0)),
                       .header_arrival = since_first(3),
                       .dma_begin = since_first(4),
                       .tail_arrival = since_first(5),
                       .dma_end = since_first(6)};
    Statement rows(trace,
                   "SELECT cycle, bytes FROM queue_levels WHERE node = ?1 AND queue = ?2 AND "
                   "cycle > ?3 AND cycle <= ?4 ORDER BY cycle");
    rows.bind(1, message.integer(1));
    rows.bind(2, static_cast<std::int64_t>(hw::QueueKind::kInput));
    rows.bind(3, first.count());
    rows.bind(4, message.integer(6));
    while (rows.step()) {
        course.levels.push_back({hw::Cycles(rows.integer(0)) - first, hw::Bytes(rows.integer(1))});
    }
    if (course.levels.empty()) {
        return std::nullopt;
    }
    return course;
}

std::vector<StallTotal> stall_totals(const TraceDatabase& trace, CycleWindow window) {
    Statement rows(trace, R"sql(
        SELECT node, name, count(*), sum(min(end_cycle, ?2) - max(begin_cycle, ?1))
        FROM stalls JOIN stall_places USING (place)
        WHERE end_cycle > ?1 AND begin_cycle < ?2 GROUP BY node, place ORDER BY node, place)sql");
    rows.bind(1, window.begin.count());
    rows.bind(2, window.end.count());
    std::vector<StallTotal> totals;
    while (rows.step()) {
        totals.push_back({.node = hw::NodeId(static_cast<std::int32_t>(rows.integer(0))),
                          .place = std::string(rows.text(1)),
                          .stalls = rows.integer(2),
                          .total = hw::Cycles(rows.integer(3))});
    }
    return totals;
}

std::optional<hw::Bytes> peak_queue_bytes(const TraceDatabase& trace, hw::QueueKind queue) {
    Statement row(trace, "SELECT max(bytes) FROM queue_levels WHERE queue = ?1");
    row.bind(1, static_cast<std::int64_t>(queue));
    row.step();
    if (row.is_null(0)) {
        return std::nullopt;
    }
    return hw::Bytes(row.integer(0));
}

}  // namespace weir::experiments::trace
