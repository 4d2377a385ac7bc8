#include "experiments/trace/database/stored_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "experiments/trace/log/read_log.h"
#include "hw/refusal.h"

namespace weir::experiments::trace {

namespace {

void store_names(const Trace& trace, const TraceDatabase& database) {
    for (const NameTable& table : name_tables()) {
        Statement insert(database, fmt::format("INSERT INTO {} VALUES (?1, ?2)", table.name));
        for (const auto& [number, name] : stored_names(trace, table)) {
            insert.bind(1, number);
            insert.bind(2, name);
            insert.execute();
        }
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

// INSERT statement with parameters for `rows` rows of `columns` values.
std::string insertion(const char* table, std::size_t columns, std::size_t rows) {
    std::string values;
    for (std::size_t column = 0; column < columns; ++column) {
        values += column == 0 ? "(?" : ", ?";
    }
    values += ")";
    return fmt::format("INSERT INTO {} VALUES {}", table,
                       fmt::join(std::vector<std::string>(rows, values), ", "));
}

template <class Row>
void store_rows(const Trace& trace, const std::vector<Row>& rows, const TraceDatabase& database) {
    constexpr std::size_t kTogether = 32;  // rows of a statement: a statement has a cost of its own
    const Table<Row>& table = table_of<Row>();
    Statement insert_one(database, insertion(table.name, table.columns.size(), 1));
    Statement insert_several(database, insertion(table.name, table.columns.size(), kTogether));
    std::size_t together = 1;
    for (std::size_t first = 0; first < rows.size(); first += together) {
        together = rows.size() - first < kTogether ? 1 : kTogether;
        Statement& insert = together == 1 ? insert_one : insert_several;
        int parameter = 0;
        for (const Row& row : std::span(rows).subspan(first, together)) {
            for (const Column<Row>& column : table.columns) {
                const std::int64_t value = column.get(row);
                ++parameter;
                if (value == kAbsent) {
                    insert.bind_null(parameter);
                } else if (column.kind == ColumnKind::kMarkName) {
                    insert.bind(parameter, trace.mark_names[value]);
                } else {
                    insert.bind(parameter, value);
                }
            }
        }
        insert.execute();
    }
}

/// Converts values of a database's columns to values of rows in memory.
class Values {
  public:
    Values(const TraceDatabase& database, Trace& trace) : trace_(trace) {
        for (const NameTable& table : name_tables()) {
            add_names(database, table);
        }
    }

    /// Converted value of column `at`; empty if a row in memory cannot hold it.
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
    // A foreign trace may number the names of states and queues differently, and has its own names
    // of channels.
    void add_names(const TraceDatabase& database, const NameTable& table) {
        Statement rows(database, fmt::format("SELECT {}, name FROM {} ORDER BY {}", table.number,
                                             table.name, table.number));
        std::map<std::int64_t, std::int64_t>& numbers = numbers_[table.kind];
        const bool is_channel = table.kind == ColumnKind::kChannel;
        const std::vector<std::string>& names = is_channel ? trace_.channel_names : table.names;
        while (rows.step()) {
            if (rows.type(0) != SQLITE_INTEGER) {
                throw TraceError(
                    fmt::format("{}: table {}, column {}: found {}; accepted: a whole "
                                "number",
                                database.path(), table.name, table.number,
                                rows.is_null(0) ? "NULL" : hw::shortened(rows.text(0))));
            }
            if (is_channel) {
                trace_.channel_names.emplace_back(rows.text(1));
            }
            const auto ours =
                is_channel ? names.end() - 1 : std::find(names.begin(), names.end(), rows.text(1));
            if (ours != names.end()) {
                numbers[rows.integer(0)] = ours - names.begin();
            }
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
                    fmt::format("{}: table {}, column {}: found {}, which is not a value "
                                "of this column",
                                database.path(), table.name, column.name,
                                row.is_null(at) ? "NULL" : hw::shortened(row.text(at))));
            }
            column.set(loaded, *value);
            ++at;
        }
    }
}

}  // namespace

std::vector<std::pair<std::int64_t, std::string_view>> stored_names(const Trace& trace,
                                                                    const NameTable& table) {
    std::array<bool, hw::kCoreStates> is_entered{};
    for (const CoreIntervalRow& row : trace.core_intervals) {
        is_entered.at(static_cast<std::size_t>(row.state)) = true;
    }
    const auto& names = table.kind == ColumnKind::kChannel ? trace.channel_names : table.names;
    std::vector<std::pair<std::int64_t, std::string_view>> stored;
    for (std::size_t number = 0; number < names.size(); ++number) {
        const bool may_be_absent = table.kind == ColumnKind::kState &&
                                   number >= static_cast<std::size_t>(hw::CoreState::kSwitch);
        if (!may_be_absent || is_entered.at(number)) {
            stored.emplace_back(number, names[number]);
        }
    }
    return stored;
}

void store_trace(const Trace& trace, const TraceDatabase& database) {
    database.execute("BEGIN");
    store_names(trace, database);
    store_run_info(trace, database);
    trace.for_each_table([&](const auto& rows) { store_rows(trace, rows, database); });
    database.execute("COMMIT");
}

void write_trace(const Trace& trace, const std::filesystem::path& path) {
    TraceDatabase database = TraceDatabase::create(path);
    store_trace(trace, database);
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
