#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/trace/database/sqlite_file.h"
#include "experiments/trace/rows/trace.h"
#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::trace {

/// Connection to one trace file, for one thread. Every fault is a TraceError with the file's path,
/// the operation and SQLite's message.
class TraceDatabase {
  public:
    /// Creates a file with the empty tables of trace_schema.h. An existing file is a fault: traces
    /// are never overwritten. With the path ":memory:" the database ends with the connection.
    static TraceDatabase create(const std::filesystem::path& path);
    /// Opens an existing trace for reading, also the committed part of a killed run's. A log is
    /// read into a temporary database, which ends with the connection. A file that is not a trace,
    /// or has another schema version, is a fault.
    static TraceDatabase open(const std::filesystem::path& path);

    /// Opens an existing trace that may lack all tables except `needed`. Absent tables read as
    /// empty ones.
    static TraceDatabase open(const std::filesystem::path& path,
                              const std::vector<std::string>& needed);
    /// Temporary database with the rows of `trace`, which ends with the connection.
    static TraceDatabase of(const Trace& trace);

    /// True if the file has this table of the schema, or a view of its name.
    [[nodiscard]] bool has(std::string_view table) const;
    /// Tables of the schema that the file lacks.
    [[nodiscard]] const std::vector<std::string>& absent_tables() const { return absent_; }

    /// Runs statements that return nothing.
    void execute(const std::string& sql) const;
    /// Closes the connection. All its statements must be destroyed before.
    void close();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] sqlite3* handle() const { return connection_.get(); }
    [[noreturn]] void fail(std::string_view fault) const;

  private:
    TraceDatabase(const std::filesystem::path& path, int flags);
    /// Throws unless the file is a database with the schema's version.
    void begin_reading() const;
    [[nodiscard]] bool find_table(const std::string& name) const;
    void require_tables(const std::vector<std::string>& names) const;

    [[nodiscard]] bool is_refused() const;

    std::string path_;
    bool is_own_ = false;  ///< the file was created by this connection
    std::vector<std::string> absent_;
    SqliteConnection connection_;
};

/// Prepared statement. Bind its parameters, numbered from 1; then execute() it, or step() through
/// its rows and read their columns, numbered from 0.
class Statement {
  public:
    Statement(const TraceDatabase& database, std::string_view sql);

    void bind(int parameter, std::int64_t value) {
        check(sqlite3_bind_int64(statement_.get(), parameter, value));
    }
    void bind_null(int parameter) { check(sqlite3_bind_null(statement_.get(), parameter)); }
    /// `text` must outlive the execution of the statement.
    void bind(int parameter, std::string_view text) {
        check(sqlite3_bind_text(statement_.get(), parameter, text.data(),
                                static_cast<int>(text.size()), SQLITE_STATIC));
    }

    /// Moves to the next row; false after the last.
    bool step() {
        const int result = sqlite3_step(statement_.get());
        if (result == SQLITE_ROW) {
            return true;
        }
        if (result != SQLITE_DONE) {
            fail();
        }
        return false;
    }
    /// Runs a statement that returns no rows, and resets the statement for another run.
    void execute() {
        step();
        check(sqlite3_reset(statement_.get()));
    }

    [[nodiscard]] bool is_null(int column) const { return type(column) == SQLITE_NULL; }
    [[nodiscard]] std::int64_t integer(int column) const {
        return sqlite3_column_int64(statement_.get(), column);
    }
    [[nodiscard]] double real(int column) const {
        return sqlite3_column_double(statement_.get(), column);
    }
    /// Text, or the bytes of a blob; valid until the next step.
    [[nodiscard]] std::string_view text(int column) const;
    /// SQLITE_NULL, SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT or SQLITE_BLOB.
    [[nodiscard]] int type(int column) const {
        return sqlite3_column_type(statement_.get(), column);
    }
    [[nodiscard]] int columns() const { return sqlite3_column_count(statement_.get()); }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    void check(int result) {
        if (result != SQLITE_OK) {
            fail();
        }
    }
    [[noreturn]] void fail() const;

    const TraceDatabase* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace weir::experiments::trace
