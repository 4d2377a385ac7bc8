#include "experiments/running/sweeps/plan/point_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/setup/files/toml_tree.h"
#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::running {

namespace {

using setup::UserFault;

// Allows an expression to compute and to read columns, and nothing else. Counts the columns that it
// reads.
int judge_action(void* reads, int action, const char* /*table*/, const char* column,
                 const char* /*database*/, const char* /*trigger*/) {
    if (action == SQLITE_READ) {
        if (column != nullptr && *column != '\0') {
            ++*static_cast<int*>(reads);
        }
        return SQLITE_OK;
    }
    return action == SQLITE_SELECT || action == SQLITE_FUNCTION ? SQLITE_OK : SQLITE_DENY;
}

void bind_value(sqlite3_stmt* statement, const hw::ParameterValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) {
        sqlite3_bind_int(statement, 1, *truth ? 1 : 0);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        sqlite3_bind_int64(statement, 1, *whole);
    } else if (const auto* real = std::get_if<double>(&value)) {
        sqlite3_bind_double(statement, 1, *real);
    } else {
        const auto* text = std::get_if<std::string>(&value);
        const std::string written = text != nullptr ? *text : setup::toml_text(value);
        sqlite3_bind_text(statement, 1, written.c_str(), -1, SQLITE_TRANSIENT);
    }
}

}  // namespace

PointFilter::PointFilter(std::span<const FilterText> filters, std::vector<FilterName> names)
    : names_(std::move(names)) {
    if (filters.empty()) {
        return;
    }
    sqlite3* connection = nullptr;
    const int opened = sqlite3_open(":memory:", &connection);
    connection_.reset(connection);
    if (opened != SQLITE_OK) {
        throw std::runtime_error("no memory for the filter");
    }
    make_tables();
    limit_work();
    // A word in double quotes is always a name, never a text, so misspelled names are detected.
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    for (const FilterText& filter : filters) {
        if (const auto fault = hw::limit_fault(filter.text, hw::kFilterLimits)) {
            throw UserFault(filter.place, *fault);
        }
        conditions_.push_back(prepared(filter));
    }
}

// Makes a table for each table of the configuration, with one row and the columns that axes set.
void PointFilter::make_tables() {
    std::map<std::string, std::string> columns;
    for (const FilterName& name : names_) {
        std::string& list = columns[name.table];
        list += (list.empty() ? "" : ", ") + sql_name(name.name);
    }
    std::string sql;
    for (const auto& [table, list] : columns) {
        sql += fmt::format("CREATE TABLE {0} ({1}); INSERT INTO {0} DEFAULT VALUES; ",
                           sql_name(table), list);
    }
    const auto check = [this](int result) {
        if (result != SQLITE_OK) {
            throw std::logic_error(std::string("the filter's tables: ") +
                                   sqlite3_errmsg(connection_.get()));
        }
    };
    check(sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr));
    for (const FilterName& name : names_) {
        sqlite3_stmt* update = nullptr;
        const std::string set =
            fmt::format("UPDATE {} SET {} = ?1", sql_name(name.table), sql_name(name.name));
        check(sqlite3_prepare_v2(connection_.get(), set.c_str(), -1, &update, nullptr));
        updates_.emplace_back(update);
    }
}

// Limits length and time to far more than conditions need.
void PointFilter::limit_work() {
    constexpr int kMostTextBytes = 100'000;
    constexpr int kMostPatternBytes = 100;
    constexpr int kMostInstructions = 1'000'000;
    sqlite3* const connection = connection_.get();
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMostTextBytes);
    sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kMostPatternBytes);
    sqlite3_progress_handler(
        connection, kMostInstructions, [](void* /*nothing*/) { return 1; }, nullptr);
}

PointFilter::Condition PointFilter::prepared(const FilterText& filter) {
    std::set<std::string> tables;
    for (const FilterName& name : names_) {
        tables.insert(sql_name(name.table));
    }
    const std::string from = tables.empty() ? "" : fmt::format(" FROM {}", fmt::join(tables, ", "));
    const std::string sql = fmt::format("SELECT (\n{}\n){}", filter.text, from);
    int reads = 0;
    sqlite3_set_authorizer(connection_.get(), judge_action, &reads);
    sqlite3_stmt* statement = nullptr;
    const char* rest = nullptr;
    const int result = sqlite3_prepare_v3(connection_.get(), sql.c_str(), -1,
                                          SQLITE_PREPARE_PERSISTENT, &statement, &rest);
    std::unique_ptr<sqlite3_stmt, Close> holds(statement);
    if (result != SQLITE_OK || *rest != '\0' || sqlite3_column_count(statement) != 1) {
        throw no_expression(filter, result == SQLITE_OK ? "it is more than one condition"
                                                        : sqlite3_errmsg(connection_.get()));
    }
    sqlite3_set_authorizer(connection_.get(), nullptr, nullptr);
    if (reads == 0) {
        std::vector<std::string> known;
        for (const FilterName& name : names_) {
            known.push_back(name.name);
        }
        throw UserFault(filter.place, "the filter names no axis",
                        known.empty() ? "no filter where there is no axis"
                                      : "a condition on " + setup::quoted_list(known));
    }
    return {filter, std::move(holds)};
}

UserFault PointFilter::no_expression(const FilterText& filter, const std::string& why) const {
    std::vector<std::string> known;
    for (const FilterName& name : names_) {
        known.push_back(name.name);
    }
    const std::string accepted =
        known.empty() ? "no filter where there is no axis" : setup::quoted_list(known);
    constexpr std::string_view kNoColumn = "no such column: ";
    constexpr std::string_view kAmbiguous = "ambiguous column name: ";
    if (why.starts_with(kNoColumn)) {
        std::string found = why.substr(kNoColumn.size());
        return {filter.place, fmt::format("the filter names \"{}\", which is no axis", found),
                accepted, setup::nearest_name(found.substr(found.rfind('.') + 1), known)};
    }
    if (why.starts_with(kAmbiguous)) {
        return {filter.place,
                fmt::format("the filter names \"{}\", which several axes have",
                            why.substr(kAmbiguous.size())),
                "the name behind its table's: table.key"};
    }
    return {filter.place, "the filter is no expression: " + hw::shortened(why),
            "a condition in SQLite's words, such as \"a >= 128 and b = 'torus'\""};
}

bool PointFilter::keeps(std::span<const hw::ParameterValue> values) {
    if (conditions_.empty()) {
        return true;
    }
    for (std::size_t i = 0; i < updates_.size(); ++i) {
        bind_value(updates_[i].get(), values[i]);
        sqlite3_step(updates_[i].get());
        sqlite3_reset(updates_[i].get());
    }
    return std::all_of(conditions_.begin(), conditions_.end(), [](const Condition& condition) {
        sqlite3_stmt* statement = condition.holds.get();
        const bool has_row = sqlite3_step(statement) == SQLITE_ROW;
        const int type = has_row ? sqlite3_column_type(statement, 0) : SQLITE_NULL;
        const bool holds = has_row && sqlite3_column_double(statement, 0) != 0.0;
        sqlite3_reset(statement);
        if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
            throw UserFault(condition.filter.place, "the filter is neither true nor false",
                            "a condition such as \"a >= 128 and b = 'torus'\"");
        }
        return holds;
    });
}

}  // namespace weir::experiments::running
