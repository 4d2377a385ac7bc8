#include "experiments/trace/rows/trace_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

namespace {

constexpr const char* kRunTable = R"sql(
CREATE TABLE run (               -- facts about the run; the digest leaves out keys 'host_...'
    key TEXT NOT NULL PRIMARY KEY,  -- always present: schema_version, node_count, window_begin_cycle,
                                    -- window_end_cycle ('never': no limit) and complete.
                                    -- complete is 'yes' after the run's end, 'no' if it was killed
    value TEXT NOT NULL
) WITHOUT ROWID;
)sql";

constexpr const char* kViews = R"sql(
CREATE VIEW latencies AS         -- times of each message's stages from launch to handler; they sum
                                 -- to total_cycles; NULL: not reached
SELECT message_id, source_node, destination_node, message_bytes, hops,
       network_entry_cycle - launch_cycle AS output_queue_cycles,  -- launch to first flit out
       header_arrival_cycle - network_entry_cycle AS network_cycles,  -- first flit out to header's arrival
       notify_cycle - header_arrival_cycle AS notify_cycles,       -- header's arrival to readiness
       handler_begin_cycle - notify_cycle AS handler_wait_cycles,  -- wait for the core to enter the handler
       handler_begin_cycle - launch_cycle AS total_cycles,
       unloaded_latency_cycles AS unloaded_cycles  -- launch to header arrival if uncontended
FROM messages;

CREATE VIEW channel_use AS       -- total traffic of each channel in the table channels
SELECT name, sum(flits) AS flits, sum(header_wait_cycles) AS header_wait_cycles,
       max(1.0 * flits / (end_cycle - begin_cycle)) AS most_flits_a_cycle,  -- in the busiest interval
       min(begin_cycle) AS first_cycle, max(end_cycle) AS end_cycle
FROM channel_intervals JOIN channels USING (channel) GROUP BY channel;

CREATE VIEW hot_channels AS      -- intervals of channels in which headers waited, longest wait first
SELECT name, begin_cycle, end_cycle, flits, header_wait_cycles
FROM channel_intervals JOIN channels USING (channel) WHERE header_wait_cycles > 0
ORDER BY header_wait_cycles DESC, flits DESC, name, begin_cycle;
)sql";

/// Appends a comment to a line of SQL at column `at`; further lines of the comment are below.
std::string explained(std::string line, std::string_view sentence, std::size_t at) {
    if (!sentence.empty()) {
        line += std::string(line.size() < at ? at - line.size() : 2, ' ') + "-- ";
        const std::string below = "\n" + std::string(line.size() - 3, ' ') + "-- ";
        for (const char letter : sentence) {
            letter == '\n' ? line += below : line += letter;
        }
    }
    return line + "\n";
}

std::string sql_of(const NameTable& table) {
    return "\n" +
           explained(fmt::format("CREATE TABLE {} (", table.name), table.sentence, kCommentAt) +
           fmt::format("    {} INTEGER PRIMARY KEY,\n", table.number) +
           explained("    name TEXT NOT NULL UNIQUE", table.names_sentence, kCommentAt) + ");\n";
}

bool may_be_null(ColumnKind kind) {
    return kind == ColumnKind::kStage || kind == ColumnKind::kMessageOrNone;
}

template <class Row>
std::string sql_of(const Table<Row>& table) {
    const bool has_own_number = table.key_columns == 1;
    std::string sql =
        "\n" + explained(fmt::format("CREATE TABLE {} (", table.name), table.sentence, kCommentAt);
    std::string key;
    for (const Column<Row>& column : table.columns) {
        const auto place = static_cast<std::size_t>(&column - table.columns.data());
        const bool is_last = has_own_number && place + 1 == table.columns.size();
        const char* of_value = has_own_number && place == 0 ? " PRIMARY KEY"
                               : may_be_null(column.kind)   ? ""
                                                            : " NOT NULL";
        sql += explained(fmt::format("    {} {}{}{}", column.name,
                                     column.kind == ColumnKind::kMarkName ? "TEXT" : "INTEGER",
                                     of_value, is_last ? "" : ","),
                         column.sentence,
                         column.comment_at == 0 ? table.comment_at : column.comment_at);
        if (place < table.key_columns) {
            key += fmt::format("{}{}", key.empty() ? "" : ", ", column.name);
        }
    }
    return sql +
           (has_own_number ? ");\n" : fmt::format("    PRIMARY KEY ({})\n) WITHOUT ROWID;\n", key));
}

std::string whole_schema() {
    std::string sql = kRunTable;
    std::vector<const NameTable*> named;
    Trace("").for_each_table([&](const auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        const Table<Row>& table = table_of<Row>();
        for (const Column<Row>& column : table.columns) {
            const NameTable* names = name_table_of(column.kind);
            if (names != nullptr && std::find(named.begin(), named.end(), names) == named.end()) {
                named.push_back(names);
                sql += sql_of(*names);
            }
        }
        sql += sql_of(table);
    });
    return sql + kViews;
}

}  // namespace

const std::string& trace_schema() {
    static const std::string schema = whole_schema();
    return schema;
}

std::string describe_message(std::int64_t stored) {
    const hw::MessageId id = message_id_of(stored);
    return fmt::format("message {} of node {}", id.sequence, id.source.index());
}

}  // namespace weir::experiments::trace
