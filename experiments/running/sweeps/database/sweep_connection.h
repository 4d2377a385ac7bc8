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

/// Fault of a sweep's database, or of its disk: the file, the operation or what was found, and
/// SQLite's message. Recorded runs remain.
class SweepError : public std::runtime_error {
  public:
    explicit SweepError(const std::string& text) : std::runtime_error(hw::shown(text)) {}
};

/// Connection to an SQLite file. Every fault is a SweepError.
class SweepConnection {
  public:
    enum class Access { kCreate, kWrite, kRead };

    SweepConnection(const std::filesystem::path& path, Access access);

    /// Switches views on, which are off in an existing file until its schema has been checked.
    void allow_views() const;
    /// Runs statements that return nothing.
    void execute(const std::string& sql) const;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] sqlite3* handle() const { return connection_.get(); }
    [[noreturn]] void fail(int result) const;

  private:
    void refuse_journal_of_others() const;
    [[nodiscard]] std::string reason_of(int result) const;

    std::string path_;
    trace::SqliteConnection connection_;
};

/// Transaction, which is rolled back unless commit() is called.
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

/// Prepared statement. Bind its parameters in order; then execute() it, or step() through its rows
/// and read their columns, numbered from 0.
class Query {
  public:
    /// The argument table is the table's name for messages about faulty values.
    Query(const SweepConnection& connection, std::string_view sql, std::string table = {});

    Query& bind(std::int64_t value);
    Query& bind(double value);
    /// Bytes outside UTF-8 characters become escapes, since a database's texts are UTF-8.
    Query& bind(std::string_view text);
    Query& bind_path(const std::filesystem::path& path);
    Query& bind_null();

    /// Moves to the next row; false after the last.
    bool step();
    /// Makes the statement ready to be bound and run again.
    void reset();
    /// Runs a statement without rows, and resets it.
    void execute();

    // Values are checked, since the file may have been edited. Each function throws
    // setup::UserFault with file, table, column and row for an invalid value.
    [[nodiscard]] bool is_null(int column) const;
    /// Whole number from `least` to `most`.
    [[nodiscard]] std::int64_t integer(int column, std::int64_t least = 0,
                                       std::int64_t most = INT64_MAX) const;
    /// Number with a magnitude of at most kMostMagnitude; infinities and NULL are invalid.
    [[nodiscard]] double real(int column) const;
    /// Text in UTF-8, or a number as SQLite writes it; empty for NULL.
    [[nodiscard]] std::string text(int column) const;
    /// Throws the fault of a column's value in this row.
    [[noreturn]] void refuse(int column, std::string_view accepted) const;

    /// Limit of numbers in results (records::parse_json); larger ones would overflow in the
    /// computations of pages.
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
    /// Value as messages quote it.
    [[nodiscard]] std::string described(int column) const;

    const SweepConnection* connection_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    std::string table_;
    int bound_ = 0;
    std::int64_t row_ = 0;
};

/// Quoted name for SQL.
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace weir::experiments::running
