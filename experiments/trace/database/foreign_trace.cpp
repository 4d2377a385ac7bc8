#include "experiments/trace/database/foreign_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/trace/log/read_log.h"
#include "experiments/trace/rows/trace.h"
#include "experiments/trace/rows/trace_schema.h"
#include "hw/refusal.h"
#include "hw/tracing/trace_probe.h"

namespace weir::experiments::trace {

namespace {

struct SchemaColumn {
    std::string name;
    std::string type;  // SQL type: INTEGER or TEXT
    bool may_be_null = false;
    bool is_key = false;
};

struct SchemaTable {
    std::string name;
    std::vector<SchemaColumn> columns;

    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> names;
        for (const SchemaColumn& column : columns) {
            if (column.is_key) {
                names.push_back(column.name);
            }
        }
        return names;
    }
};

std::vector<SchemaColumn> columns_of(const TraceDatabase& database, const std::string& table) {
    Statement rows(database,
                   "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid");
    rows.bind(1, table);
    std::vector<SchemaColumn> columns;
    while (rows.step()) {
        const bool is_key = rows.integer(3) > 0;
        columns.push_back({std::string(rows.text(0)), std::string(rows.text(1)),
                           rows.integer(2) == 0 && !is_key, is_key});
    }
    return columns;
}

// Tables of trace_schema() as SQLite parses it, so that the schema is declared once.
std::vector<SchemaTable> schema_tables() {
    const TraceDatabase empty = TraceDatabase::create(":memory:");
    Statement names(empty, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid");
    std::vector<SchemaTable> tables;
    while (names.step()) {
        const std::string name(names.text(0));
        tables.push_back({name, columns_of(empty, name)});
    }
    return tables;
}

// Name of a row by its key, for example "node = 3, begin_cycle = 120". The key is in the first
// columns of the query.
std::string row_name(const Statement& row, const std::vector<std::string>& keys) {
    std::string name;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto column = static_cast<int>(i);
        name += fmt::format("{}{} = {}", i == 0 ? "" : ", ", keys[i],
                            row.is_null(column) ? "NULL" : hw::shortened(row.text(column)));
    }
    return name;
}

[[noreturn]] void refuse(const std::string& path, std::string_view table, std::string_view column,
                         const std::string& row, std::string_view found,
                         std::string_view accepted) {
    throw TraceError(path,
                     fmt::format("table {}, column {}, the row with {}: found {}", table, column,
                                 row, hw::shortened(found)),
                     std::string(accepted));
}

void require_columns(const TraceDatabase& trace, const SchemaTable& table) {
    const std::vector<SchemaColumn> there = columns_of(trace, table.name);
    for (const SchemaColumn& column : table.columns) {
        const bool is_there = std::any_of(there.begin(), there.end(), [&](const SchemaColumn& c) {
            return c.name == column.name;
        });
        if (!is_there) {
            std::vector<std::string> names;
            names.reserve(there.size());
            for (const SchemaColumn& each : there) {
                names.push_back(each.name);
            }
            throw TraceError(fmt::format("{}: table {} has no column {}; its columns are {}",
                                         trace.path(), table.name, column.name,
                                         hw::shortened(fmt::format("{}", fmt::join(names, ", ")))));
        }
    }
}

// Checks the values' types, since SQLite stores values of any type in a column.
void require_types(const TraceDatabase& trace, const SchemaTable& table) {
    const std::vector<std::string> keys = table.keys();
    std::vector<std::string> wrong;
    std::vector<std::string> shown = keys;
    for (const SchemaColumn& column : table.columns) {
        const bool is_text = column.type == "TEXT";
        wrong.push_back(fmt::format("typeof({}) NOT IN ('{}'{})", column.name,
                                    is_text ? "text" : "integer",
                                    column.may_be_null ? ", 'null'" : ""));
        shown.push_back(wrong.back());
        shown.push_back(fmt::format("typeof({0}) || coalesce(' ' || quote({0}), '')", column.name));
    }
    Statement row(trace, fmt::format("SELECT {} FROM main.{} WHERE {} LIMIT 1",
                                     fmt::join(shown, ", "), table.name, fmt::join(wrong, " OR ")));
    if (!row.step()) {
        return;
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto at = static_cast<int>(keys.size() + 2 * i);
        if (row.integer(at) != 0) {
            const SchemaColumn& column = table.columns[i];
            refuse(trace.path(), table.name, column.name, row_name(row, keys), row.text(at + 1),
                   fmt::format("{}{}", column.type == "TEXT" ? "text" : "a whole number",
                               column.may_be_null ? " or NULL" : ""));
        }
    }
}

void require_unique_keys(const TraceDatabase& trace, const SchemaTable& table) {
    const std::vector<std::string> keys = table.keys();
    Statement row(trace, fmt::format("SELECT {0} FROM main.{1} GROUP BY {0} HAVING count(*) > 1",
                                     fmt::join(keys, ", "), table.name));
    if (row.step()) {
        throw TraceError(fmt::format("{}: table {} has several rows with {}", trace.path(),
                                     table.name, row_name(row, keys)));
    }
}

// Rule that the rows of a table must keep. `fault` is an SQL condition that holds for rows that
// break the rule.
struct RowRule {
    std::string table;
    std::string column;
    std::string fault;
    std::string accepted;
};

std::string node_rule(const std::string& column, std::int64_t nodes) {
    return fmt::format("{} NOT BETWEEN 0 AND {}", column, nodes - 1);
}

using Follows = std::pair<const char*, const char*>;

// Rules that the first time of each pair of columns is not before the second, if both are known.
std::vector<RowRule> in_order(const char* table, std::span<const Follows> follows) {
    std::vector<RowRule> rules;
    rules.reserve(follows.size());
    for (const auto& [later, earlier] : follows) {
        rules.push_back({table, later, fmt::format("{} < {}", later, earlier),
                         fmt::format("at least {}", earlier)});
    }
    return rules;
}

// Order of the stages of a message.
std::vector<RowRule> trip_rules() {
    constexpr std::array kFollows{
        std::pair{"launch_cycle", "compose_cycle"},
        std::pair{"network_entry_cycle", "launch_cycle"},
        std::pair{"tail_entry_cycle", "network_entry_cycle"},
        std::pair{"first_arrival_cycle", "network_entry_cycle"},
        std::pair{"first_arrival_cycle", "launch_cycle"},
        std::pair{"header_arrival_cycle", "first_arrival_cycle"},
        std::pair{"header_arrival_cycle", "launch_cycle"},
        std::pair{"tail_arrival_cycle", "header_arrival_cycle"},
        std::pair{"notify_cycle", "header_arrival_cycle"},
        std::pair{"handler_begin_cycle", "notify_cycle"},
        std::pair{"handler_begin_cycle", "launch_cycle"},
        std::pair{"code_begin_cycle", "handler_begin_cycle"},
        std::pair{"code_end_cycle", "code_begin_cycle"},
        std::pair{"handler_end_cycle", "code_end_cycle"},
        std::pair{"handler_end_cycle", "handler_begin_cycle"},
    };
    return in_order("messages", kFollows);
}

// Order of the stages of a transaction of shared memory, and of a coherence trap.
std::vector<RowRule> sharing_rules() {
    constexpr std::array kFollows{
        std::pair{"first_asked_cycle", "begin_cycle"},
        std::pair{"asked_cycle", "first_asked_cycle"},
        std::pair{"home_arrival_cycle", "asked_cycle"},
        std::pair{"home_begin_cycle", "home_arrival_cycle"},
        std::pair{"first_invalidation_cycle", "home_begin_cycle"},
        std::pair{"last_acknowledgement_cycle", "first_invalidation_cycle"},
        std::pair{"reply_cycle", "home_begin_cycle"},
        std::pair{"reply_cycle", "last_acknowledgement_cycle"},
        std::pair{"fill_cycle", "reply_cycle"},
        std::pair{"use_cycle", "fill_cycle"},
    };
    std::vector<RowRule> rules = in_order("transactions", kFollows);
    for (RowRule& rule :
         in_order("coherence_traps", std::array{std::pair{"begin_cycle", "raised_cycle"},
                                                std::pair{"end_cycle", "begin_cycle"}})) {
        rules.push_back(std::move(rule));
    }
    return rules;
}

// Rules that counts and times of all tables are 0 or more.
std::vector<RowRule> sign_rules(const std::vector<SchemaTable>& tables) {
    std::vector<RowRule> rules;
    for (const SchemaTable& table : tables) {
        for (const SchemaColumn& column : table.columns) {
            const std::string_view name = column.name;
            const bool is_counted = name.ends_with("_cycle") || name.ends_with("_cycles") ||
                                    name.ends_with("bytes") || name.ends_with("_words") ||
                                    name == "hops" || name == "sequence" || name == "cycle" ||
                                    name == "flits";
            if (is_counted && column.type == "INTEGER") {
                rules.push_back(
                    {table.name, column.name, column.name + " < 0", "a whole number of 0 or more"});
                rules.push_back({table.name, column.name,
                                 fmt::format("{} >= {}", column.name, kMostTraceNumber),
                                 fmt::format("less than 2^56, {}", kMostTraceNumber)});
            }
        }
    }
    return rules;
}

/// Calls `visit` for every column of every table, with the names of table and column and its kind.
template <class Visit>
void for_each_column(const Visit& visit) {
    Trace("").for_each_table([&visit](const auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        for (const Column<Row>& column : table_of<Row>().columns) {
            visit(table_of<Row>().name, column.name, column.kind);
        }
    });
}

std::vector<RowRule> node_rules(std::int64_t nodes) {
    std::vector<RowRule> rules;
    for_each_column([&](const char* table, const char* column, ColumnKind kind) {
        if (kind == ColumnKind::kNode) {
            rules.push_back({table, column, node_rule(column, nodes),
                             fmt::format("a node, 0 to {}", nodes - 1)});
        }
    });
    return rules;
}

std::vector<RowRule> reference_rules() {
    std::vector<RowRule> rules{
        {"messages", "message_id",
         fmt::format("message_id <> source_node * {} + sequence", kMessageIdsPerSource),
         "source_node * 2^40 + sequence"},
        {"messages", "sequence", fmt::format("sequence >= {}", kMessageIdsPerSource),
         fmt::format("less than 2^40, {}", kMessageIdsPerSource)},
        {"messages", "parent_message_id",
         "EXISTS (SELECT 1 FROM main.messages AS parent WHERE parent.message_id = "
         "messages.parent_message_id AND (parent.destination_node <> messages.source_node OR "
         "parent.handler_begin_cycle IS NULL OR "
         "parent.handler_begin_cycle > messages.compose_cycle))",
         "a message that source_node was handling at compose_cycle, or NULL"},
    };
    for (const char* table :
         {"core_intervals", "dma_transfers", "stalls", "channel_intervals", "queue_intervals"}) {
        rules.push_back({table, "end_cycle", "end_cycle < begin_cycle", "at least begin_cycle"});
    }
    for_each_column([&rules](const char* table, const char* column, ColumnKind kind) {
        if (const NameTable* names = name_table_of(kind)) {
            rules.push_back({table, column,
                             fmt::format("{0} NOT IN (SELECT {0} FROM {1})", column, names->name),
                             fmt::format("one of the numbers in the table {}", names->name)});
        }
    });
    return rules;
}

std::string quoted(const std::vector<std::string>& names) {
    return fmt::format("'{}'", fmt::join(names, "', '"));
}

// Rules for the names in lookup tables. A trace chooses the numbers of its names, except the
// numbers of queues.
std::vector<RowRule> name_rules() {
    std::vector<RowRule> rules;
    for (const NameTable& table : name_tables()) {
        if (table.kind != ColumnKind::kQueue && table.kind != ColumnKind::kChannel) {
            rules.push_back({table.name, "name",
                             fmt::format("name NOT IN ({})", quoted(table.names)),
                             fmt::format("one of {}", quoted(table.names))});
        }
    }
    rules.push_back({"queue_kinds", "name",
                     fmt::format("(queue, name) NOT IN (VALUES ({}, 'output'), ({}, 'input'))",
                                 static_cast<int>(hw::QueueKind::kOutput),
                                 static_cast<int>(hw::QueueKind::kInput)),
                     "0 for output, 1 for input"});
    return rules;
}

const SchemaTable& table_named(const std::vector<SchemaTable>& tables, const std::string& name) {
    return *std::find_if(tables.begin(), tables.end(),
                         [&name](const SchemaTable& table) { return table.name == name; });
}

void require_rules(const TraceDatabase& trace, const std::vector<SchemaTable>& tables,
                   const std::vector<RowRule>& rules) {
    for (const RowRule& rule : rules) {
        if (!trace.has(rule.table)) {
            continue;
        }
        const std::vector<std::string> keys = table_named(tables, rule.table).keys();
        Statement row(trace,
                      fmt::format("SELECT {}, quote({}) FROM main.{} WHERE {} LIMIT 1",
                                  fmt::join(keys, ", "), rule.column, rule.table, rule.fault));
        if (row.step()) {
            refuse(trace.path(), rule.table, rule.column, row_name(row, keys),
                   row.text(static_cast<int>(keys.size())), rule.accepted);
        }
    }
}

void require_one_state_at_a_time(const TraceDatabase& trace) {
    if (!trace.has("core_intervals")) {
        return;
    }
    Statement row(trace,
                  "SELECT node, begin_cycle, before FROM (SELECT node, begin_cycle, lag(end_cycle) "
                  "OVER (PARTITION BY node ORDER BY begin_cycle) AS before FROM core_intervals) "
                  "WHERE begin_cycle < before LIMIT 1");
    if (row.step()) {
        throw TraceError(
            trace.path(),
            fmt::format("table core_intervals: at node {} an interval begins at cycle {}, and the "
                        "one before ends at {}",
                        row.integer(0), row.integer(1), row.integer(2)),
            "intervals that don't overlap");
    }
}

// A table with numbers needs the lookup table of their names.
void require_lookups(const TraceDatabase& trace) {
    for_each_column([&trace](const char* table, const char* /*column*/, ColumnKind kind) {
        const NameTable* names = name_table_of(kind);
        if (names != nullptr && trace.has(table) && !trace.has(names->name)) {
            throw TraceError(fmt::format("{}: table {} needs the table {}, which is missing",
                                         trace.path(), table, names->name));
        }
    });
}

std::int64_t node_count_of(const std::string& path, const std::string& found) {
    std::int64_t nodes = 0;
    const auto [end, fault] = std::from_chars(found.data(), found.data() + found.size(), nodes);
    if (fault != std::errc() || end != found.data() + found.size() || nodes < 1) {
        refuse(path, "run", "value", "key = node_count", found, "a whole number from 1 on");
    }
    return nodes;
}

}  // namespace

std::int64_t trace_node_count(const TraceDatabase& trace) {
    Statement row(trace, "SELECT value FROM run WHERE key = 'node_count'");
    return node_count_of(trace.path(), row.step() ? std::string(row.text(0)) : "none");
}

std::int64_t stored_node_count(const std::filesystem::path& path) {
    if (!is_log(path)) {
        return trace_node_count(TraceDatabase::open(path, {"run", "messages"}));
    }
    const Trace head = read_log_head(path);
    const auto found = head.run.find("node_count");
    return node_count_of(head.path(), found != head.run.end() ? found->second : "none");
}

TraceDatabase open_foreign_trace(const std::filesystem::path& path) {
    std::vector<SchemaTable> tables = schema_tables();
    TraceDatabase trace = TraceDatabase::open(path, {"run", "messages"});
    for (const SchemaTable& table : tables) {
        if (trace.has(table.name)) {
            require_columns(trace, table);
            require_types(trace, table);
            require_unique_keys(trace, table);
        }
    }
    require_lookups(trace);
    const std::int64_t nodes = trace_node_count(trace);
    for (const std::vector<RowRule>& rules : {node_rules(nodes), sign_rules(tables), name_rules(),
                                              reference_rules(), trip_rules(), sharing_rules()}) {
        require_rules(trace, tables, rules);
    }
    require_one_state_at_a_time(trace);
    return trace;
}

}  // namespace weir::experiments::trace
