#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

#include "hw/testing/fuzz_target.h"

namespace weir::experiments::trace {

struct CloseDatabase {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
using PlainDatabase = std::unique_ptr<sqlite3, CloseDatabase>;

inline PlainDatabase open_plain(const std::filesystem::path& path) {
    sqlite3* connection = nullptr;
    sqlite3_open(path.c_str(), &connection);
    return PlainDatabase(connection);
}

/// Writes a database from a fuzzer's input: the bytes themselves, or else SQL that is run on a new
/// database until its first fault. The SQL can access no other file, and its time is limited.
inline void write_database(const hw::testing::InputFile& file, const std::string& input) {
    file.write("");
    if (input.starts_with("SQLite format 3")) {
        file.write(input);
        return;
    }
    constexpr int kMostInstructions = 200'000;
    constexpr int kMostBytes = 1'000'000;
    const PlainDatabase database = open_plain(file.path());
    sqlite3_exec(database.get(), "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
    sqlite3_limit(database.get(), SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database.get(), SQLITE_LIMIT_LENGTH, kMostBytes);
    sqlite3_set_authorizer(
        database.get(),
        [](void* /*nothing*/, int action, const char* /*first*/, const char* /*second*/,
           const char* /*database*/, const char* /*trigger*/) {
            return action == SQLITE_PRAGMA || action == SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK;
        },
        nullptr);
    sqlite3_progress_handler(
        database.get(), kMostInstructions, [](void* /*nothing*/) { return 1; }, nullptr);
    sqlite3_exec(database.get(), ("BEGIN;" + input).c_str(), nullptr, nullptr, nullptr);
    if (sqlite3_get_autocommit(database.get()) == 0) {
        sqlite3_exec(database.get(), "COMMIT", nullptr, nullptr, nullptr);
    }
}

/// SQL that creates a database with the same tables and rows.
inline std::string sql_of(const std::filesystem::path& path) {
    const PlainDatabase database = open_plain(path);
    std::string sql;
    const auto rows = [&database](const std::string& query, const auto& each) {
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v2(database.get(), query.c_str(), -1, &statement, nullptr);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const auto text = [statement](int column) {
                const unsigned char* bytes = sqlite3_column_text(statement, column);
                return std::string(bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes));
            };
            each(text);
        }
        sqlite3_finalize(statement);
    };
    rows("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL", [&](const auto& text) {
        sql += text(2) + ";\n";
        if (text(0) != "table") {
            return;
        }
        std::string columns;
        rows("SELECT name FROM pragma_table_info('" + text(1) + "')", [&](const auto& column) {
            columns += (columns.empty() ? "" : " || ',' || ") + ("quote(\"" + column(0) + "\")");
        });
        rows("SELECT " + columns + " FROM \"" + text(1) + "\"", [&](const auto& row) {
            sql += "INSERT INTO \"" + text(1) + "\" VALUES(" + row(0) + ");\n";
        });
    });
    return sql;
}

}  // namespace weir::experiments::trace
