#include "experiments/running/sweeps/database/sweep_connection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "hw/input_limits.h"

namespace weir::experiments::running {

namespace {

// Other processes may read the database while it grows; each waits for the others' locks.
constexpr int kMostWaitMilliseconds = 60'000;

int flags_of(SweepConnection::Access access) {
    switch (access) {
        case SweepConnection::Access::kCreate:
            return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        default:
            // Readers may write, too: they first roll back the transaction of a killed process.
            // SQLite falls back to read-only access if the file is not writable.
            return SQLITE_OPEN_READWRITE;
    }
}

const char* fault_of(int result) {
    switch (result & 0xff) {
        case SQLITE_NOTADB:
            return "this is no database";
        case SQLITE_FULL:
            return "the disk is full";
        case SQLITE_CANTOPEN:
            return "the database can't be opened";
        case SQLITE_BUSY:
            return "another program keeps the database locked";
        case SQLITE_READONLY:
            return "the database can't be written";
        default:
            return "the database can't be used";
    }
}

}  // namespace

// SQLite's rollback journal keeps commits whole at any time of a kill. The journal works on shared
// file systems of clusters, too, where a write-ahead log does not. Between commits the database is
// a single file.
SweepConnection::SweepConnection(const std::filesystem::path& path, Access access)
    : path_(path.string()) {
    refuse_journal_of_others();
    int result = SQLITE_OK;
    connection_ = trace::open_sqlite(path, flags_of(access), result);
    if (result != SQLITE_OK) {
        fail(result);
    }
    // SQLite falls back to read-only access without permission to write, and when no further file
    // can be opened.
    if (access != Access::kRead && sqlite3_db_readonly(handle(), "main") == 1) {
        fail(SQLITE_READONLY);
    }
    trace::distrust_schema(handle());
    sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_VIEW, access == Access::kCreate ? 1 : 0,
                      nullptr);
    sqlite3_limit(handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(hw::kJsonLimits.bytes));
    sqlite3_busy_timeout(handle(), kMostWaitMilliseconds);
    execute("PRAGMA foreign_keys = ON");
    execute(access == Access::kRead ? "PRAGMA query_only = ON"
                                    : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
}

void SweepConnection::allow_views() const {
    sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_VIEW, 1, nullptr);
}

// A journal of a transaction in several databases ends with the name of a further file and 8 fixed
// bytes. After the rollback SQLite removes the named file. Weir writes no such journals.
void SweepConnection::refuse_journal_of_others() const {
    constexpr std::string_view kEnd = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    const std::string journal = path_ + "-journal";
    std::ifstream in(journal, std::ios::binary);
    std::string end(kEnd.size(), '\0');
    in.seekg(-static_cast<std::streamoff>(kEnd.size()), std::ios::end);
    in.read(end.data(), static_cast<std::streamsize>(end.size()));
    if (in.good() && end == kEnd) {
        throw SweepError(fmt::format(
            "{}: the journal {} names a further file, which no sweep does; accepted: the database "
            "without this journal",
            path_, journal));
    }
}

void SweepConnection::execute(const std::string& sql) const {
    const int result = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) {
        fail(result);
    }
}

void SweepConnection::fail(int result) const {
    if (trace::lacks_locks(handle())) {
        throw SweepError(fmt::format("{}: its file system has no locks: {}", path_,
                                     trace::sqlite_reason(handle())));
    }
    std::error_code unknown;
    const std::string journal = path_ + "-journal";
    const int kind = result & 0xff;
    if ((kind == SQLITE_READONLY || kind == SQLITE_CANTOPEN) &&
        ::access(path_.c_str(), R_OK) == 0 && std::filesystem::exists(journal, unknown)) {
        throw SweepError(fmt::format(
            "{}: a sweep was killed while it wrote. To roll back {}, Weir needs permission to "
            "write there; accepted: copies of both files in one folder that "
            "can be written",
            path_, journal));
    }
    throw SweepError(fmt::format("{}: {}: {}", path_, fault_of(result), reason_of(result)));
}

// Reason with the system's own message, if the system refused an operation; SQLite's message lacks
// it.
std::string SweepConnection::reason_of(int result) const {
    if ((result & 0xff) == SQLITE_READONLY) {
        return ::access(path_.c_str(), W_OK) != 0 ? std::generic_category().message(errno)
                                                  : "the system opens it only for reading";
    }
    return trace::sqlite_reason(handle());
}

Transaction::Transaction(const SweepConnection& connection) : connection_(connection) {
    connection_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (is_open_) {
        sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Transaction::commit() {
    connection_.execute("COMMIT");
    is_open_ = false;
}

Query::Query(const SweepConnection& connection, std::string_view sql, std::string table)
    : connection_(&connection), table_(std::move(table)) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(connection.handle(), sql.data(),
                                          static_cast<int>(sql.size()), &statement, nullptr);
    statement_.reset(statement);
    check(result);
}

Query& Query::bind(std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
    return *this;
}

Query& Query::bind(double value) {
    check(sqlite3_bind_double(statement_.get(), ++bound_, value));
    return *this;
}

Query& Query::bind(std::string_view text) {
    return bind_path(setup::is_utf8(text) ? std::string(text) : setup::with_utf8_escapes(text));
}

Query& Query::bind_path(const std::filesystem::path& path) {
    const std::string& text = path.native();
    check(sqlite3_bind_text(statement_.get(), ++bound_, text.data(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
    return *this;
}

Query& Query::bind_null() {
    check(sqlite3_bind_null(statement_.get(), ++bound_));
    return *this;
}

bool Query::step() {
    const int result = sqlite3_step(statement_.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
        connection_->fail(result);
    }
    row_ += 1;
    return result == SQLITE_ROW;
}

void Query::execute() {
    step();
    reset();
}

void Query::reset() {
    check(sqlite3_reset(statement_.get()));
    bound_ = 0;
    row_ = 0;
}

bool Query::is_null(int column) const { return type(column) == SQLITE_NULL; }

std::int64_t Query::integer(int column, std::int64_t least, std::int64_t most) const {
    const std::int64_t value = sqlite3_column_int64(statement_.get(), column);
    if (type(column) != SQLITE_INTEGER || value < least || value > most) {
        refuse(column, most == INT64_MAX
                           ? fmt::format("a whole number from {} on", least)
                           : fmt::format("a whole number from {} to {}", least, most));
    }
    return value;
}

double Query::real(int column) const {
    const double value = sqlite3_column_double(statement_.get(), column);
    const bool is_number = type(column) == SQLITE_FLOAT || type(column) == SQLITE_INTEGER;
    if (!is_number || !(std::abs(value) <= kMostMagnitude)) {
        refuse(column,
               fmt::format("a number from {0:g} to {1:g}", -kMostMagnitude, kMostMagnitude));
    }
    return value;
}

std::string Query::text(int column) const {
    std::string text = bytes(column);
    if (type(column) == SQLITE_BLOB || !setup::is_utf8(text)) {
        refuse(column, "text in UTF-8");
    }
    return text;
}

std::string Query::bytes(int column) const {
    // The bytes of a blob as they are; a number as SQLite writes it.
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    const int length = sqlite3_column_bytes(statement_.get(), column);
    return bytes == nullptr ? std::string() : std::string(bytes, length);
}

std::string Query::described(int column) const {
    switch (type(column)) {
        case SQLITE_NULL:
            return "NULL";
        case SQLITE_INTEGER:
        case SQLITE_FLOAT:
            return bytes(column);
        case SQLITE_TEXT:
            return fmt::format("the text \"{}\"",
                               hw::shortened(setup::with_utf8_escapes(bytes(column))));
        default:
            return fmt::format("{} bytes that are not text",
                               sqlite3_column_bytes(statement_.get(), column));
    }
}

void Query::refuse(int column, std::string_view accepted) const {
    std::string row = fmt::format("row {}", row_);
    // A row is identified by its first column, its key.
    if (column > 0) {
        row += fmt::format(" ({} = {})", sqlite3_column_name(statement_.get(), 0), described(0));
    }
    throw setup::UserFault(
        {connection_->path()},
        fmt::format("{}column {}, {}: the value is {}",
                    table_.empty() ? "" : "table " + table_ + ", ",
                    sqlite3_column_name(statement_.get(), column), row, described(column)),
        std::string(accepted));
}

void Query::check(int result) const {
    if (result != SQLITE_OK) {
        connection_->fail(result);
    }
}

std::string sql_name(std::string_view name) {
    std::string text = "\"";
    for (const char letter : name) {
        text += letter;
        if (letter == '"') {
            text += letter;
        }
    }
    return text + '"';
}

}  // namespace weir::experiments::running
