#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace weir::experiments::trace {

/// Foreign trace in plain SQL, with the required tables only and one additional column. The trace
/// has two nodes and two round trips of node 0. The second round trip takes 200 cycles, from the
/// end of the first reply's handler at cycle 200 to that of the second's at 400. Each message takes
/// 8 cycles from launch to the header's arrival, and 10 more to readiness to interrupt. The
/// handlers take 60 cycles; the request's handler spends 12 of these on sending the reply.
inline constexpr const char* kForeignTrace = R"sql(
CREATE TABLE run (key TEXT, value TEXT);
INSERT INTO run VALUES ('schema_version', '3'), ('node_count', '2'), ('where_from', 'elsewhere');
CREATE TABLE messages (
    message_id INTEGER, source_node INTEGER, sequence INTEGER, destination_node INTEGER,
    parent_message_id INTEGER, argument_words INTEGER, message_bytes INTEGER, body_bytes INTEGER,
    hops INTEGER, unloaded_latency_cycles INTEGER, launch_blocked_cycles INTEGER,
    restored_words INTEGER, compose_cycle INTEGER, launch_cycle INTEGER,
    network_entry_cycle INTEGER, send_dma_end_cycle INTEGER, tail_entry_cycle INTEGER,
    first_arrival_cycle INTEGER, header_arrival_cycle INTEGER, tail_arrival_cycle INTEGER,
    notify_cycle INTEGER, handler_begin_cycle INTEGER, code_begin_cycle INTEGER,
    receive_dma_begin_cycle INTEGER, code_end_cycle INTEGER, receive_dma_end_cycle INTEGER,
    dispose_cycle INTEGER, handler_end_cycle INTEGER, colour TEXT);
INSERT INTO messages (message_id, source_node, sequence, destination_node, parent_message_id,
    argument_words, message_bytes, body_bytes, hops, unloaded_latency_cycles,
    launch_blocked_cycles, restored_words, compose_cycle, launch_cycle, header_arrival_cycle,
    notify_cycle, handler_begin_cycle, handler_end_cycle) VALUES
    (0,             0, 0, 1, NULL, 0, 8, 0, 1, 8, 0, 0,  50,  60,  68,  78,  80, 140),
    (1099511627776, 1, 0, 0, 0,    0, 8, 0, 1, 8, 0, 0, 110, 122, 130, 140, 140, 200),
    (1,             0, 1, 1, NULL, 0, 8, 0, 1, 8, 0, 0, 250, 260, 268, 278, 280, 340),
    (1099511627777, 1, 1, 0, 1,    0, 8, 0, 1, 8, 0, 0, 310, 322, 330, 340, 340, 400);
)sql";

/// Intervals of the foreign trace's cores, with its own numbers of states.
inline constexpr const char* kForeignIntervals = R"sql(
CREATE TABLE core_states (state INTEGER, name TEXT);
INSERT INTO core_states VALUES (10, 'compute'), (20, 'send'), (30, 'wait'), (40, 'handler');
CREATE TABLE core_intervals (node INTEGER, begin_cycle INTEGER, end_cycle INTEGER, state INTEGER,
    message_id INTEGER);
INSERT INTO core_intervals VALUES
    (0,   0,  50, 10, NULL), (0,  50,  60, 20, NULL), (0,  60, 140, 30, NULL),
    (0, 140, 200, 40, 1099511627776),
    (0, 200, 250, 10, NULL), (0, 250, 260, 20, NULL), (0, 260, 340, 30, NULL),
    (0, 340, 400, 40, 1099511627777),
    (1,   0,  80, 30, NULL), (1,  80, 140, 40, 0), (1, 140, 280, 30, NULL), (1, 280, 340, 40, 1);
)sql";

/// Runs SQL on a file, which is created if it does not exist.
inline void run_sql_on(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* connection = nullptr;
    char* fault = nullptr;
    if (sqlite3_open(path.c_str(), &connection) != SQLITE_OK ||
        sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &fault) != SQLITE_OK) {
        throw std::runtime_error(fault != nullptr ? fault : "cannot open " + path.string());
    }
    sqlite3_close(connection);
}

}  // namespace weir::experiments::trace
