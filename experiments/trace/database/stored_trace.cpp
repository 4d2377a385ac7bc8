#include "experiments/trace/database/stored_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "experiments/trace/log/read_log.h"
#include "hw/refusal.h"
#include "memory/coherence/line_states.h"

namespace weir::experiments::trace {

namespace {

// Numbers of a table of names, and what Weir calls them.
using Names = std::vector<std::pair<std::int64_t, std::string>>;

template <class Kind, class NameOf>
Names names_up_to(Kind last, const NameOf& name_of) {
    Names names;
    for (int number = 0; number <= static_cast<int>(last); ++number) {
        names.emplace_back(number, name_of(static_cast<Kind>(number)));
    }
    return names;
}

Names line_state_names() {
    Names names;
    for (std::int64_t number = 0; number < std::int64_t{memory::kLineStates}; ++number) {
        names.emplace_back(number, memory::name_of_line_state(number));
    }
    return names;
}

/// A table that gives names to the numbers in columns of one kind.
struct NameTable {
    ColumnKind kind;
    const char* table;
    const char* number;  ///< its column of numbers
    Names names;
};

const std::vector<NameTable>& name_tables() {
    static const std::vector<NameTable> tables{
        {ColumnKind::kState, "core_states", "state",
         names_up_to(hw::CoreState::kMemoryWait, hw::core_state_name)},
        {ColumnKind::kQueue,
         "queue_kinds",
         "queue",
         {{static_cast<std::int64_t>(hw::QueueKind::kOutput), "output"},
          {static_cast<std::int64_t>(hw::QueueKind::kInput), "input"}}},
        {ColumnKind::kEngine, "dma_engines", "engine",
         names_up_to(hw::DmaKind::kReceive, hw::dma_name)},
        {ColumnKind::kPlace, "stall_places", "place",
         names_up_to(hw::StallPlace::kInputQueue, hw::stall_place_name)},
        {ColumnKind::kRequest, "shared_requests", "request",
         names_up_to(hw::SharedRequest::kAcknowledge, hw::shared_request_name)},
        {ColumnKind::kLineState, "line_state_names", "state", line_state_names()},
    };
    return tables;
}

void store_names(const Trace& trace, const TraceDatabase& database) {
    std::array<bool, hw::kCoreStates> is_entered{};
    for (const CoreIntervalRow& row : trace.core_intervals) {
        is_entered.at(static_cast<std::size_t>(row.state)) = true;
    }
    for (const NameTable& table : name_tables()) {
        Statement insert(database, fmt::format("INSERT INTO {} VALUES (?1, ?2)", table.table));
        for (const auto& [number, name] : table.names) {
            // What only some machines' cores do is named where one did.
            if (table.kind == ColumnKind::kState &&
                number >= static_cast<std::int64_t>(hw::CoreState::kSwitch) &&
                !is_entered.at(static_cast<std::size_t>(number))) {
                continue;
            }
            insert.bind(1, number);
            insert.bind(2, name);
            insert.execute();
        }
    }
}

void store_channel_names(const Trace& trace, const TraceDatabase& database) {
    Statement insert(database, "INSERT INTO channels VALUES (?1, ?2)");
    std::int64_t channel = 0;
    for (const std::string& name : trace.channel_names) {
        insert.bind(1, channel++);
        insert.bind(2, name);
        insert.execute();
    }
}

void store_run_info(const Trace& trace, const TraceDatabase& database) {
    Statement insert(database, "INSERT INTO run VALUES (?1, ?2)");
    for (const auto& [key, value] : trace.run) {
        insert.bind(1, key);
        insert.bind(2, value);
        insert.execute();
    }
}

template <class Row>
void store_rows(const Trace& trace, const std::vector<Row>& rows, const TraceDatabase& database) {
    const Table<Row>& table = table_of<Row>();
    std::vector<std::string> parameters;
    for (std::size_t i = 1; i <= table.columns.size(); ++i) {
        parameters.push_back(fmt::format("?{}", i));
    }
    Statement insert(database, fmt::format("INSERT INTO {} VALUES ({})", table.name,
                                           fmt::join(parameters, ", ")));
    for (const Row& row : rows) {
        int parameter = 0;
        for (const Column<Row>& column : table.columns) {
            const std::int64_t value = column.get(row);
            ++parameter;
            if (value == kAbsent) {
                insert.bind_null(parameter);
            } else if (column.kind == ColumnKind::kMarkName) {
                insert.bind(parameter, trace.mark_names[static_cast<std::size_t>(value)]);
            } else {
                insert.bind(parameter, value);
            }
        }
        insert.execute();
    }
}

/// Turns what a database's columns hold into what rows hold.
class Values {
  public:
    Values(const TraceDatabase& database, Trace& trace) : trace_(trace) {
        for (const NameTable& table : name_tables()) {
            add_names(database, table);
        }
        add_channels(database);
    }

    /// Nothing where a row may hold no such value.
    template <class Row>
    std::optional<std::int64_t> value(const Statement& row, int at, const Column<Row>& column) {
        const bool is_name = column.kind == ColumnKind::kMarkName;
        if (!row.is_null(at) && row.type(at) != (is_name ? SQLITE_TEXT : SQLITE_INTEGER)) {
            return std::nullopt;
        }
        std::int64_t value = row.is_null(at) ? kAbsent : row.integer(at);
        if (is_name) {
            value = mark_name(std::string(row.text(at)));
        }
        if (const auto numbers = numbers_.find(column.kind); numbers != numbers_.end()) {
            const auto known = numbers->second.find(value);
            if (known == numbers->second.end()) {
                return std::nullopt;
            }
            value = known->second;
        }
        return range_of(column.kind, trace_).holds(value) ? std::optional(value) : std::nullopt;
    }

  private:
    // A trace from elsewhere has numbers of its own for the same names.
    void add_names(const TraceDatabase& database, const NameTable& table) {
        Statement rows(database, fmt::format("SELECT {}, name FROM {}", table.number, table.table));
        std::map<std::int64_t, std::int64_t>& numbers = numbers_[table.kind];
        while (rows.step()) {
            const auto ours =
                std::find_if(table.names.begin(), table.names.end(),
                             [&rows](const auto& name) { return name.second == rows.text(1); });
            if (rows.type(0) != SQLITE_INTEGER) {
                throw TraceError(
                    fmt::format("{}: table {}, column {}: found {}; accepted: a whole "
                                "number",
                                database.path(), table.table, table.number,
                                rows.is_null(0) ? "NULL" : hw::shortened(rows.text(0))));
            }
            if (ours != table.names.end()) {
                numbers[rows.integer(0)] = ours->first;
            }
        }
    }

    void add_channels(const TraceDatabase& database) {
        Statement rows(database, "SELECT channel, name FROM channels ORDER BY channel");
        std::map<std::int64_t, std::int64_t>& numbers = numbers_[ColumnKind::kChannel];
        while (rows.step()) {
            numbers[rows.integer(0)] = static_cast<std::int64_t>(trace_.channel_names.size());
            trace_.channel_names.emplace_back(rows.text(1));
        }
    }

    std::int64_t mark_name(const std::string& name) {
        const auto [known, is_new] =
            mark_names_.try_emplace(name, static_cast<std::int64_t>(mark_names_.size()));
        if (is_new) {
            trace_.mark_names.push_back(name);
        }
        return known->second;
    }

    Trace& trace_;
    std::map<ColumnKind, std::map<std::int64_t, std::int64_t>> numbers_;
    std::map<std::string, std::int64_t> mark_names_;
};

template <class Row>
void load_rows(const TraceDatabase& database, Values& values, std::vector<Row>& rows) {
    const Table<Row>& table = table_of<Row>();
    std::vector<std::string> names;
    for (const Column<Row>& column : table.columns) {
        names.emplace_back(column.name);
    }
    Statement row(database, fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), table.name));
    while (row.step()) {
        Row& loaded = rows.emplace_back();
        int at = 0;
        for (const Column<Row>& column : table.columns) {
            const std::optional<std::int64_t> value = values.value(row, at, column);
            if (!value || !column.agrees(loaded, *value)) {
                throw TraceError(
                    fmt::format("{}: table {}, column {}: found {}, which a trace "
                                "can't have there",
                                database.path(), table.name, column.name,
                                row.is_null(at) ? "NULL" : hw::shortened(row.text(at))));
            }
            column.set(loaded, *value);
            ++at;
        }
    }
}

}  // namespace

void store_trace(const Trace& trace, const TraceDatabase& database) {
    database.execute("BEGIN");
    store_names(trace, database);
    store_channel_names(trace, database);
    store_run_info(trace, database);
    trace.for_each_table([&](const auto& rows) { store_rows(trace, rows, database); });
    database.execute("COMMIT");
}

void write_trace(const Trace& trace, const std::filesystem::path& path) {
    TraceDatabase database = TraceDatabase::create(path);
    store_trace(trace, database);
    database.end_write_ahead();
    database.close();
}

Trace load_trace(const TraceDatabase& database) {
    Trace trace(database.path());
    trace.absent_tables = database.absent_tables();
    Statement info(database, "SELECT key, value FROM run");
    while (info.step()) {
        trace.run[std::string(info.text(0))] = info.text(1);
    }
    Values values(database, trace);
    trace.for_each_table([&](auto& rows) { load_rows(database, values, rows); });
    trace.sort();
    return trace;
}

Trace read_trace(const std::filesystem::path& path) {
    return is_log(path) ? read_log(path) : load_trace(TraceDatabase::open(path));
}

}  // namespace weir::experiments::trace
