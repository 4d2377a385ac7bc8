#include "experiments/trace/measurements/round_trip_breakdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "experiments/trace/database/trace_schema.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::experiments::trace {

namespace {

/// A part and its cycles in terms of the messages `request` and `reply`, of `before_launch` and of
/// `further`.
struct PartDefinition {
    const char* name;
    const char* cycles;
};

constexpr std::array kParts{
    PartDefinition{"compute", "before_launch.compute"},
    PartDefinition{"wait", "before_launch.wait"},
    PartDefinition{"request_send", "before_launch.send"},
    PartDefinition{"interference", "before_launch.handler"},
    PartDefinition{"request_network_unloaded",
                   "request.unloaded_latency_cycles + coalesce(further.unloaded, 0)"},
    PartDefinition{"request_network_contention",
                   "request.header_arrival_cycle - request.launch_cycle "
                   "- request.unloaded_latency_cycles + coalesce(further.contention, 0)"},
    PartDefinition{"request_notify",
                   "request.notify_cycle - request.header_arrival_cycle "
                   "+ coalesce(further.notify, 0)"},
    PartDefinition{"request_queueing",
                   "request.handler_begin_cycle - request.notify_cycle "
                   "+ coalesce(further.queueing, 0)"},
    PartDefinition{"request_handler",
                   "reply.compose_cycle - request.handler_begin_cycle "
                   "- coalesce(further.unloaded + further.contention + further.notify "
                   "+ further.queueing, 0)"},
    PartDefinition{"reply_send", "reply.launch_cycle - reply.compose_cycle"},
    PartDefinition{"reply_network_unloaded", "reply.unloaded_latency_cycles"},
    PartDefinition{"reply_network_contention",
                   "reply.header_arrival_cycle - reply.launch_cycle "
                   "- reply.unloaded_latency_cycles"},
    PartDefinition{"reply_notify", "reply.notify_cycle - reply.header_arrival_cycle"},
    PartDefinition{"reply_queueing", "reply.handler_begin_cycle - reply.notify_cycle"},
    PartDefinition{"reply_handler", "reply.handler_end_cycle - reply.handler_begin_cycle"},
};

/// Every message that a handler of a handled message sent which was itself sent by a handler, with
/// each message that led to it; empty where no request is handed on.
constexpr const char* kCreateHandedOn = R"sql(
    CREATE TEMP TABLE handed_on AS
    WITH RECURSIVE led_to(last_id, ancestor_id) AS (
        SELECT last.message_id, last.parent_message_id
        FROM messages AS last
            CROSS JOIN messages AS parent ON parent.message_id = last.parent_message_id
        WHERE parent.parent_message_id IS NOT NULL AND last.handler_end_cycle IS NOT NULL
        UNION ALL
        SELECT last_id, messages.parent_message_id
        FROM led_to CROSS JOIN messages ON messages.message_id = ancestor_id
        WHERE messages.parent_message_id IS NOT NULL
    )
    SELECT last_id, ancestor_id FROM led_to)sql";

std::string create_round_trips(CycleWindow window) {
    return fmt::format(R"sql(
        CREATE TEMP TABLE round_trips AS
        WITH pairs AS (
            SELECT request.source_node AS node,
                   request.message_id AS request_id, reply.message_id AS reply_id,
                   request.compose_cycle AS compose_cycle, request.launch_cycle AS launch_cycle,
                   reply.handler_end_cycle AS end_cycle
            FROM messages AS reply
                CROSS JOIN messages AS request ON request.message_id = reply.parent_message_id
            WHERE request.parent_message_id IS NULL
                AND reply.destination_node = request.source_node
                AND reply.handler_end_cycle IS NOT NULL
            UNION ALL
            SELECT request.source_node, request.message_id, reply.message_id,
                   request.compose_cycle, request.launch_cycle, reply.handler_end_cycle
            FROM temp.handed_on
                CROSS JOIN messages AS request ON request.message_id = ancestor_id
                CROSS JOIN messages AS reply ON reply.message_id = last_id
            WHERE request.parent_message_id IS NULL
                AND reply.destination_node = request.source_node
        ), answered AS (
            SELECT node, request_id, reply_id, launch_cycle,
                   lag(end_cycle) OVER (
                       PARTITION BY node ORDER BY compose_cycle, request_id) AS begin_cycle,
                   end_cycle,
                   count(*) OVER (PARTITION BY request_id) AS replies
            FROM pairs
        )
        SELECT * FROM answered WHERE begin_cycle IS NOT NULL AND {})sql",
                       inside_window("end_cycle", window));
}

/// What the messages took, launch to entry into the interrupt, that handed a request on.
constexpr const char* kCreateFurther = R"sql(
    CREATE TEMP TABLE further AS
    SELECT round_trips.reply_id AS last_id,
           sum(unloaded_latency_cycles) AS unloaded,
           sum(header_arrival_cycle - messages.launch_cycle - unloaded_latency_cycles)
               AS contention,
           sum(notify_cycle - header_arrival_cycle) AS notify,
           sum(handler_begin_cycle - notify_cycle) AS queueing
    FROM temp.handed_on
        JOIN temp.round_trips ON round_trips.reply_id = handed_on.last_id
        JOIN messages ON messages.message_id = ancestor_id
    WHERE messages.parent_message_id IS NOT NULL
    GROUP BY round_trips.reply_id)sql";

/// The node's states from the beginning of an iteration to the launch of its request. A core's
/// intervals don't overlap, so those that reach into the span are the ones that begin in it and the
/// last one before it; CROSS JOIN keeps the search in this order.
constexpr const char* kCreateBeforeLaunch = R"sql(
    CREATE TEMP TABLE before_launch AS
    WITH spent AS (
        SELECT round_trips.rowid AS round_trip, core_states.name AS state,
               min(core_intervals.end_cycle, round_trips.launch_cycle)
                   - max(core_intervals.begin_cycle, round_trips.begin_cycle) AS cycles
        FROM round_trips
            CROSS JOIN core_intervals ON core_intervals.node = round_trips.node
                AND core_intervals.begin_cycle >= coalesce(
                    (SELECT max(earlier.begin_cycle) FROM core_intervals AS earlier
                     WHERE earlier.node = round_trips.node
                         AND earlier.begin_cycle <= round_trips.begin_cycle),
                    round_trips.begin_cycle)
                AND core_intervals.begin_cycle < round_trips.launch_cycle
                AND core_intervals.end_cycle > round_trips.begin_cycle
            CROSS JOIN core_states ON core_states.state = core_intervals.state
    )
    SELECT round_trip,
           coalesce(sum(cycles) FILTER (WHERE state = 'compute'), 0) AS compute,
           coalesce(sum(cycles) FILTER (WHERE state IN ('wait', 'dma', 'switch')), 0) AS wait,
           coalesce(sum(cycles) FILTER (WHERE state IN ('send', 'blocked')), 0) AS send,
           coalesce(sum(cycles) FILTER (WHERE state IN ('handler', 'trap')), 0) AS handler
    FROM spent GROUP BY round_trip
    UNION ALL  -- a launch in the cycle the iteration begins in: no span, and no time in it
    SELECT rowid, 0, 0, 0, 0 FROM round_trips WHERE launch_cycle = begin_cycle)sql";

void require_one_reply_a_request(const TraceDatabase& trace) {
    Statement rows(trace, "SELECT request_id, replies FROM temp.round_trips WHERE replies > 1");
    if (rows.step()) {
        throw TraceError(fmt::format("{}: {} has {} replies; a round trip has one", trace.path(),
                                     describe_message(rows.integer(0)), rows.integer(1)));
    }
}

void require_one_request_at_a_time(const TraceDatabase& trace) {
    Statement rows(trace,
                   "SELECT request_id, launch_cycle, begin_cycle FROM temp.round_trips "
                   "WHERE launch_cycle < begin_cycle");
    if (rows.step()) {
        throw TraceError(fmt::format(
            "{}: {} was launched at cycle {}, when the reply before was handled only at cycle {}; "
            "round trips must follow each other",
            trace.path(), describe_message(rows.integer(0)), rows.integer(1), rows.integer(2)));
    }
}

void create_parts(const TraceDatabase& trace) {
    std::vector<std::string> columns;
    columns.reserve(kParts.size());
    for (const PartDefinition& part : kParts) {
        columns.push_back(fmt::format("{} AS {}", part.cycles, part.name));
    }
    trace.execute(fmt::format(R"sql(
        CREATE TEMP TABLE round_trip_parts AS
        SELECT request_id, reply_id, begin_cycle, end_cycle, {}
        FROM round_trips
            JOIN messages AS request ON request.message_id = request_id
            JOIN messages AS reply ON reply.message_id = reply_id
            LEFT JOIN before_launch ON before_launch.round_trip = round_trips.rowid
            LEFT JOIN temp.further ON further.last_id = reply_id)sql",
                              fmt::join(columns, ", ")));
}

std::vector<std::string> part_names() {
    std::vector<std::string> names;
    names.reserve(kParts.size());
    for (const PartDefinition& part : kParts) {
        names.emplace_back(part.name);
    }
    return names;
}

/// A part that is NULL makes the sum NULL, which is not the iteration's length either.
void require_exact_sums(const TraceDatabase& trace) {
    Statement rows(trace, fmt::format("SELECT request_id, reply_id, begin_cycle, end_cycle, {0} "
                                      "FROM temp.round_trip_parts "
                                      "WHERE ({0}) IS NOT end_cycle - begin_cycle",
                                      fmt::join(part_names(), " + ")));
    if (rows.step()) {
        throw TraceError(fmt::format(
            "{}: the round trip of {} and its reply, {}, lasts from cycle {} to {}, {} cycles, but "
            "its parts sum to {}",
            trace.path(), describe_message(rows.integer(0)), describe_message(rows.integer(1)),
            rows.integer(2), rows.integer(3), rows.integer(3) - rows.integer(2),
            rows.is_null(4) ? "nothing, since one is missing" : std::to_string(rows.integer(4))));
    }
}

RoundTripBreakdown sum_parts(const TraceDatabase& trace) {
    Statement rows(trace, fmt::format("SELECT count(*), sum(end_cycle - begin_cycle), sum({}) "
                                      "FROM temp.round_trip_parts",
                                      fmt::join(part_names(), "), sum(")));
    rows.step();
    RoundTripBreakdown breakdown;
    breakdown.iterations = rows.integer(0);
    breakdown.total = hw::Cycles(rows.integer(1));
    const auto mean = [&](hw::Cycles total) {
        return breakdown.iterations == 0
                   ? 0.0
                   : static_cast<double>(total.count()) / static_cast<double>(breakdown.iterations);
    };
    breakdown.mean_cycles = mean(breakdown.total);
    int column = 2;
    for (const PartDefinition& part : kParts) {
        const hw::Cycles total(rows.integer(column++));
        breakdown.parts.push_back({.name = part.name, .mean_cycles = mean(total), .total = total});
    }
    return breakdown;
}

// Into the temporary tables `handed_on` and `round_trips`.
void find_round_trips(const TraceDatabase& trace, CycleWindow window) {
    trace.execute(
        "DROP TABLE IF EXISTS temp.handed_on; "
        "DROP TABLE IF EXISTS temp.round_trips;");
    trace.execute(kCreateHandedOn);
    trace.execute(create_round_trips(window));
    require_one_reply_a_request(trace);
    require_one_request_at_a_time(trace);
}

}  // namespace

std::vector<RoundTrip> round_trips(const TraceDatabase& trace, CycleWindow window) {
    find_round_trips(trace, window);
    Statement rows(trace,
                   "SELECT begin_cycle, end_cycle FROM temp.round_trips ORDER BY end_cycle, node");
    std::vector<RoundTrip> found;
    while (rows.step()) {
        found.push_back({hw::Cycles(rows.integer(0)), hw::Cycles(rows.integer(1))});
    }
    return found;
}

RoundTripBreakdown round_trip_breakdown(const TraceDatabase& trace, CycleWindow window) {
    find_round_trips(trace, window);
    trace.execute(
        "DROP TABLE IF EXISTS temp.further; "
        "DROP TABLE IF EXISTS temp.before_launch; "
        "DROP TABLE IF EXISTS temp.round_trip_parts;");
    trace.execute(kCreateFurther);
    trace.execute("CREATE INDEX temp.further_last_id ON further (last_id)");
    require_core_intervals(trace, "SELECT DISTINCT node FROM temp.round_trips",
                           "the breakdown of round trips");
    trace.execute(kCreateBeforeLaunch);
    create_parts(trace);
    require_exact_sums(trace);
    return sum_parts(trace);
}

}  // namespace weir::experiments::trace
