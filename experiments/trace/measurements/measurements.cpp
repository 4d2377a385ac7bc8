#include "experiments/trace/measurements/measurements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weir::experiments::trace {

namespace {

constexpr std::string_view kLatency = "notify_cycle - launch_cycle";

std::string handled_in(CycleWindow window) { return inside_window("handler_end_cycle", window); }

hw::NodeId node_at(const Statement& row, int column) {
    return hw::NodeId(static_cast<std::int32_t>(row.integer(column)));
}

hw::Cycles cycles_at(const Statement& row, int column) { return hw::Cycles(row.integer(column)); }

/// The gaps between a node's consecutive `cycle`s, as the common table `gaps`.
std::string gaps_between(std::string_view node, std::string_view cycle) {
    return fmt::format(R"sql(
        WITH gaps AS (
            SELECT {0} AS node, handler_end_cycle,
                   {1} - lag({1}) OVER (PARTITION BY {0} ORDER BY {1}) AS gap_cycles
            FROM messages WHERE {1} IS NOT NULL
        ))sql",
                       node, cycle);
}

Summary all_gaps(const TraceDatabase& trace, std::string_view gaps_table, CycleWindow window) {
    Statement rows(trace, fmt::format("{} SELECT {} FROM gaps WHERE {}", gaps_table,
                                      summary_columns("gap_cycles"), handled_in(window)));
    rows.step();
    return summary_at(rows, 0);
}

std::vector<Gaps::AtNode> gaps_by_node(const TraceDatabase& trace, std::string_view gaps_table,
                                       CycleWindow window) {
    Statement rows(trace,
                   fmt::format("{} SELECT node, {} FROM gaps "
                               "WHERE gap_cycles IS NOT NULL AND {} "
                               "GROUP BY node ORDER BY node",
                               gaps_table, summary_columns("gap_cycles"), handled_in(window)));
    std::vector<Gaps::AtNode> nodes;
    while (rows.step()) {
        nodes.push_back({.node = node_at(rows, 0), .gap = summary_at(rows, 1)});
    }
    return nodes;
}

}  // namespace

std::string summary_columns(std::string_view cycles) {
    return fmt::format("count({0}), avg({0}), min({0}), max({0})", cycles);
}

Summary summary_at(const Statement& row, int first_column) {
    return {.count = row.integer(first_column),
            .mean_cycles = row.real(first_column + 1),
            .minimum = cycles_at(row, first_column + 2),
            .maximum = cycles_at(row, first_column + 3)};
}

// One core's intervals don't overlap, so those that reach into a send are the ones that begin in it
// and the last one before it: two searches, however long the trace.
std::string_view send_was_interrupted() {
    return R"sql((parent_message_id IS NULL AND EXISTS (
        SELECT 1 FROM core_intervals AS reaching
        WHERE reaching.node = message.source_node
            AND reaching.begin_cycle >= coalesce(
                (SELECT max(earlier.begin_cycle) FROM core_intervals AS earlier
                 WHERE earlier.node = message.source_node
                     AND earlier.begin_cycle <= message.compose_cycle),
                message.compose_cycle)
            AND reaching.begin_cycle < message.launch_cycle
            AND reaching.end_cycle > message.compose_cycle
            AND reaching.state IN (SELECT state FROM core_states
                                   WHERE name IN ('handler', 'trap')))))sql";
}

std::vector<LogpParameters> logp_parameters(const TraceDatabase& trace, CycleWindow window) {
    const bool has_intervals = trace.has("core_intervals");
    if (has_intervals) {
        require_core_intervals(
            trace,
            fmt::format("SELECT DISTINCT source_node AS node FROM messages "
                        "WHERE parent_message_id IS NULL AND body_bytes = 0 AND {}",
                        handled_in(window)),
            "telling interrupted sends from others");
    }
    const std::string sql = fmt::format(
        R"sql(
        WITH handler_sends AS MATERIALIZED (
            SELECT parent_message_id AS message_id, sum(launch_cycle - compose_cycle) AS send_cycles
            FROM messages WHERE parent_message_id IS NOT NULL GROUP BY parent_message_id
        ), handled AS MATERIALIZED (
            SELECT *, {interrupted} AS interrupted
            FROM messages AS message WHERE body_bytes = 0 AND {window}
        ), durations AS MATERIALIZED (
            SELECT argument_words, message_bytes, interrupted,
                CASE WHEN NOT interrupted
                     THEN launch_cycle - compose_cycle - launch_blocked_cycles END AS send,
                handler_end_cycle - handler_begin_cycle AS receive,
                handler_end_cycle - handler_begin_cycle - coalesce(send_cycles, 0)
                    AS receive_without_sends,
                {message_latency} AS latency,
                {message_latency} - hops AS latency_without_hops,
                unloaded_latency_cycles + notify_cycle - header_arrival_cycle AS unloaded_latency
            FROM handled LEFT JOIN handler_sends USING (message_id)
        )
        SELECT argument_words, message_bytes, count(*), sum(interrupted),
               avg(latency_without_hops), avg(unloaded_latency),
               {send}, {receive}, {receive_without_sends}, {latency}
        FROM durations
        GROUP BY argument_words, message_bytes ORDER BY argument_words, message_bytes)sql",
        fmt::arg("interrupted",
                 has_intervals ? send_was_interrupted() : "(parent_message_id IS NULL)"),
        fmt::arg("window", handled_in(window)), fmt::arg("message_latency", kLatency),
        fmt::arg("send", summary_columns("send")), fmt::arg("receive", summary_columns("receive")),
        fmt::arg("receive_without_sends", summary_columns("receive_without_sends")),
        fmt::arg("latency", summary_columns("latency")));

    Statement rows(trace, sql);
    std::vector<LogpParameters> parameters;
    while (rows.step()) {
        parameters.push_back({.argument_words = rows.integer(0),
                              .message_bytes = hw::Bytes(rows.integer(1)),
                              .messages = rows.integer(2),
                              .interrupted_sends = rows.integer(3),
                              .send_overhead = summary_at(rows, 6),
                              .receive_overhead = summary_at(rows, 10),
                              .receive_overhead_without_sends = summary_at(rows, 14),
                              .latency = summary_at(rows, 18),
                              .mean_latency_without_hops_cycles = rows.real(4),
                              .mean_unloaded_latency_cycles = rows.real(5)});
    }
    return parameters;
}

network::CycleHistogram latencies(const TraceDatabase& trace, CycleWindow window) {
    Statement rows(trace, fmt::format("SELECT {0} FROM messages WHERE body_bytes = 0 AND {1} AND "
                                      "{0} IS NOT NULL",
                                      kLatency, handled_in(window)));
    network::CycleHistogram latencies;
    while (rows.step()) {
        latencies.add(rows.integer(0));
    }
    return latencies;
}

Gaps gaps(const TraceDatabase& trace, CycleWindow window) {
    const std::string launches = gaps_between("source_node", "launch_cycle");
    const std::string handlings = gaps_between("destination_node", "handler_begin_cycle");
    return {.sender = all_gaps(trace, launches, window),
            .receiver = all_gaps(trace, handlings, window),
            .sender_by_node = gaps_by_node(trace, launches, window),
            .receiver_by_node = gaps_by_node(trace, handlings, window)};
}

std::vector<QueueResidence> queue_residence(const TraceDatabase& trace, CycleWindow window) {
    const std::string sql =
        fmt::format(R"sql(
        SELECT node, queue, count(*), sum(residence_cycles) FROM (
            SELECT source_node AS node, {output} AS queue,
                   tail_entry_cycle + 1 - launch_cycle AS residence_cycles
            FROM messages WHERE {window}
            UNION ALL
            SELECT destination_node, {input}, dispose_cycle - first_arrival_cycle - 1
            FROM messages WHERE {window}
        ) WHERE residence_cycles IS NOT NULL GROUP BY node, queue ORDER BY node, queue)sql",
                    fmt::arg("output", static_cast<int>(hw::QueueKind::kOutput)),
                    fmt::arg("input", static_cast<int>(hw::QueueKind::kInput)),
                    fmt::arg("window", handled_in(window)));
    Statement rows(trace, sql);
    std::vector<QueueResidence> queues;
    while (rows.step()) {
        queues.push_back({.node = node_at(rows, 0),
                          .queue = static_cast<hw::QueueKind>(rows.integer(1)),
                          .messages = rows.integer(2),
                          .total = cycles_at(rows, 3)});
    }
    return queues;
}

std::vector<CoreStateShare> core_state_share(const TraceDatabase& trace, CycleWindow window) {
    Statement rows(trace, R"sql(
        WITH totals AS (
            SELECT node, state, sum(min(end_cycle, ?2) - max(begin_cycle, ?1)) AS cycles
            FROM core_intervals WHERE end_cycle > ?1 AND begin_cycle < ?2 GROUP BY node, state
        )
        SELECT node, name, cycles, 1.0 * cycles / sum(cycles) OVER (PARTITION BY node)
        FROM totals JOIN core_states USING (state) ORDER BY node, state)sql");
    rows.bind(1, window.begin.count());
    rows.bind(2, window.end.count());
    std::vector<CoreStateShare> shares;
    while (rows.step()) {
        shares.push_back({.node = node_at(rows, 0),
                          .state = std::string(rows.text(1)),
                          .total = cycles_at(rows, 2),
                          .share = rows.real(3)});
    }
    return shares;
}

std::vector<MarkSpan> mark_spans(const TraceDatabase& trace, std::string_view name) {
    Statement rows(trace,
                   "SELECT node, count(*), min(cycle), max(cycle) FROM marks WHERE name = ?1 "
                   "GROUP BY node ORDER BY node");
    rows.bind(1, name);
    std::vector<MarkSpan> spans;
    while (rows.step()) {
        spans.push_back({.node = node_at(rows, 0),
                         .occurrences = rows.integer(1),
                         .first = cycles_at(rows, 2),
                         .last = cycles_at(rows, 3)});
    }
    if (spans.empty()) {
        throw TraceError(fmt::format("{}: there is no mark '{}'; the trace's marks are: {}",
                                     trace.path(), name, fmt::join(mark_names(trace), ", ")));
    }
    return spans;
}

std::vector<std::string> mark_names(const TraceDatabase& trace) {
    Statement rows(trace, "SELECT DISTINCT name FROM marks ORDER BY name");
    std::vector<std::string> names;
    while (rows.step()) {
        names.emplace_back(rows.text(0));
    }
    return names;
}

void require_core_intervals(const TraceDatabase& trace, std::string_view nodes_sql,
                            std::string_view what) {
    Statement rows(trace, fmt::format("WITH nodes AS MATERIALIZED ({}) "
                                      "SELECT node FROM nodes WHERE NOT EXISTS "
                                      "(SELECT 1 FROM core_intervals AS interval "
                                      "WHERE interval.node = nodes.node)",
                                      nodes_sql));
    if (rows.step()) {
        throw TraceError(fmt::format("{}: there are no core intervals of node {}; {} needs them",
                                     trace.path(), rows.integer(0), what));
    }
}

}  // namespace weir::experiments::trace
