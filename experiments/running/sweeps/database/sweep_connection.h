#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/trace/database/sqlite_file.h"
#include "hw/refusal.h"

namespace weir::experiments::running {

/// The fault of a sweep's database, or of the disk it is on: which file, what was done or found,
/// and SQLite's own words. What was recorded before stays.
class SweepError : public std::runtime_error {
  public:
    explicit SweepError(const std::string& text) : std::runtime_error(hw::shown(text)) {}
};

/// A connection to one SQLite file. Every fault is a SweepError.
class SweepConnection {
  public:
    enum class Access { kCreate, kWrite, kRead };

    SweepConnection(const std::filesystem::path& path, Access access);

    /// Runs statements that return nothing.
    void execute(const std::string& sql) const;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] sqlite3* handle() const { return connection_.get(); }
    [[noreturn]] void fail(int result) const;

  private:
    [[nodiscard]] std::string reason_of(int result) const;

    std::string path_;
    trace::SqliteConnection connection_;
};

/// All or nothing: rolled back unless commit() is called.
class Transaction {
  public:
    explicit Transaction(const SweepConnection& connection);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

  private:
    const SweepConnection& connection_;
    bool is_open_ = true;
};

/// A prepared statement: bind its parameters, in their order, then execute() it, or step() through
/// its rows and read their columns, numbered from 0.
class Query {
  public:
    /// `table` is what faults of values say that a column is in.
    Query(const SweepConnection& connection, std::string_view sql, std::string table = {});

    Query& bind(std::int64_t value);
    Query& bind(double value);
    Query& bind(std::string_view text);
    Query& bind_null();

    /// Goes to the next row; false after the last.
    bool step();
    /// Ready to be bound and run again.
    void reset();
    /// Runs a statement without rows, and resets it.
    void execute();

    // A value that others may have written to the file is checked here: each throws
    // setup::UserFault, with file, table, column and row, for one that is not as it says.
    [[nodiscard]] bool is_null(int column) const;
    /// A whole number in a range.
    [[nodiscard]] std::int64_t integer(int column, std::int64_t least = 0,
                                       std::int64_t most = INT64_MAX) const;
    /// A number of kMostMagnitude at most, either way; infinities and NULL are none.
    [[nodiscard]] double real(int column) const;
    /// Text in UTF-8, or a number as SQLite writes it; empty where it is NULL.
    [[nodiscard]] std::string text(int column) const;
    /// Throws the fault of a column's value in this row.
    [[noreturn]] void refuse(int column, std::string_view accepted) const;

    /// As of results (records::parse_json): beyond it, what pages compute of a number has no end.
    static constexpr double kMostMagnitude = 9.2e18;

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    void check(int result) const;

    [[nodiscard]] int type(int column) const {
        return sqlite3_column_type(statement_.get(), column);
    }
    [[nodiscard]] std::string bytes(int column) const;
    /// A value as faults quote it.
    [[nodiscard]] std::string described(int column) const;

    const SweepConnection* connection_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    std::string table_;
    int bound_ = 0;
    std::int64_t row_ = 0;
};

/// The name as SQL writes one.
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace weir::experiments::running
