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

/// A connection to one trace file, for one thread. Every fault is a TraceError with the file's
/// path, what was being done, and SQLite's message.
class TraceDatabase {
  public:
    /// A new file with the tables of trace_schema.h, empty. A file that exists is a fault: a trace
    /// is never overwritten. Without a path it is gone with the connection.
    static TraceDatabase create(const std::filesystem::path& path);
    /// An existing trace, to read only; that of a killed run too, with what it had committed. A log
    /// is read into a database of its own, which is gone with the connection.
    /// A file that is no trace, or one of another schema version, is a fault.
    static TraceDatabase open(const std::filesystem::path& path);

    /// The same of a file that may lack other tables than `needed`, which then read as empty ones.
    static TraceDatabase open(const std::filesystem::path& path,
                              const std::vector<std::string>& needed);
    /// A trace's rows in a database of its own, which is gone with the connection.
    static TraceDatabase of(const Trace& trace);

    /// Whether the file has that table of the schema, or a view of its name.
    [[nodiscard]] bool has(std::string_view table) const;
    /// The schema's tables that it lacks.
    [[nodiscard]] const std::vector<std::string>& absent_tables() const { return absent_; }

    /// Runs statements that return nothing.
    void execute(const std::string& sql) const;
    /// Ends the writing of many rows: what was committed is in the one file then. While another
    /// connection reads the trace, part of it stays in the write-ahead log beside the file.
    void end_write_ahead() const;
    /// Gives the connection up. All statements must be gone.
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
    bool is_own_ = false;  ///< this has made the file
    std::vector<std::string> absent_;
    SqliteConnection connection_;
};

/// A prepared statement: bind its parameters, numbered from 1, then execute() it, or step() through
/// its rows and read their columns, numbered from 0.
class Statement {
  public:
    Statement(const TraceDatabase& database, std::string_view sql);

    void bind(int parameter, std::int64_t value) {
        check(sqlite3_bind_int64(statement_.get(), parameter, value));
    }
    void bind_null(int parameter) { check(sqlite3_bind_null(statement_.get(), parameter)); }
    /// The text must stay until the statement has been executed.
    void bind(int parameter, std::string_view text) {
        check(sqlite3_bind_text(statement_.get(), parameter, text.data(),
                                static_cast<int>(text.size()), SQLITE_STATIC));
    }

    /// Goes to the next row; false after the last.
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
    /// Runs a statement without rows, ready to be bound and run again.
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
