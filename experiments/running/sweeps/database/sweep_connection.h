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
    Query(const SweepConnection& connection, std::string_view sql);

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

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    void check(int result) const;

    const SweepConnection* connection_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int bound_ = 0;
};

/// The name as SQL writes one.
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace weir::experiments::running
