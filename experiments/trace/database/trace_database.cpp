#include "experiments/trace/database/trace_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "experiments/setup/surroundings_fault.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/rows/trace_schema.h"
#include "hw/input_limits.h"
#include "hw/refusal.h"

namespace weir::experiments::trace {

namespace {

constexpr int kCacheSize = -65'536;  // SQLite's cache size; negative: in KiB

struct TableStatement {
    std::string name;
    std::string sql;
};

// Statements of trace_schema(), one per table, as SQLite stores them.
std::vector<TableStatement> schema_statements() {
    const TraceDatabase empty = TraceDatabase::create(":memory:");
    Statement rows(empty,
                   "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid");
    std::vector<TableStatement> statements;
    while (rows.step()) {
        statements.push_back({std::string(rows.text(0)), std::string(rows.text(1))});
    }
    return statements;
}

}  // namespace

TraceDatabase::TraceDatabase(const std::filesystem::path& path, int flags)
    : path_(path.string()), is_own_((flags & SQLITE_OPEN_CREATE) != 0) {
    int result = SQLITE_OK;
    connection_ = open_sqlite(path, flags, result);
    if (result != SQLITE_OK) {
        fail("cannot open the trace");
    }
    distrust_schema(connection_.get());
    sqlite3_limit(connection_.get(), SQLITE_LIMIT_LENGTH, static_cast<int>(hw::kJsonLimits.bytes));
}

TraceDatabase TraceDatabase::create(const std::filesystem::path& path) {
    if (std::filesystem::exists(std::filesystem::symlink_status(path))) {
        throw TraceError(fmt::format(
            "{}: cannot write the trace: there is a file of this name already", path.string()));
    }
    TraceDatabase database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    // A journal and waits for the disk would protect an older state of the file. There is none.
    database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;");
    database.execute(fmt::format("PRAGMA cache_size = {};", kCacheSize));
    database.execute(fmt::format("BEGIN; {} COMMIT;", trace_schema()));
    return database;
}

TraceDatabase TraceDatabase::of(const Trace& trace) {
    TraceDatabase database = create("");
    database.path_ = trace.path();
    store_trace(trace, database);
    return database;
}

TraceDatabase TraceDatabase::open(const std::filesystem::path& path) {
    if (is_log(path)) {
        return of(read_log(path));
    }
    TraceDatabase database(path, SQLITE_OPEN_READONLY);
    database.begin_reading();
    std::vector<std::string> all;
    for (const TableStatement& table : schema_statements()) {
        all.push_back(table.name);
    }
    database.require_tables(all);
    return database;
}

TraceDatabase TraceDatabase::open(const std::filesystem::path& path,
                                  const std::vector<std::string>& needed) {
    if (is_log(path)) {
        return of(read_log(path));
    }
    TraceDatabase database(path, SQLITE_OPEN_READONLY);
    database.begin_reading();
    database.require_tables(needed);
    for (const TableStatement& table : schema_statements()) {
        if (!database.find_table(table.name)) {
            constexpr std::string_view kCreate = "CREATE ";
            database.absent_.push_back(table.name);
            database.execute("CREATE TEMP " + table.sql.substr(kCreate.size()));
        }
    }
    return database;
}

bool TraceDatabase::has(std::string_view table) const {
    return std::find(absent_.begin(), absent_.end(), table) == absent_.end();
}

void TraceDatabase::begin_reading() const {
    execute("BEGIN");  // all reads see one state of the file, even while the run continues
    const int result =
        sqlite3_exec(handle(), "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) {
        fail(result == SQLITE_NOTADB ? "this is no trace" : "cannot read the trace");
    }
    // The version is checked first: a trace of another version may lack tables.
    require_tables({"run"});
    Statement version(*this, "SELECT value FROM run WHERE key = 'schema_version'");
    const std::string found = version.step() ? std::string(version.text(0)) : "none";
    if (found != std::to_string(kTraceSchemaVersion)) {
        throw TraceError(
            fmt::format("{}: the trace is of another version than this program's: its "
                        "schema version is {}; {} is accepted",
                        path_, hw::shortened(found), kTraceSchemaVersion));
    }
    execute(fmt::format("PRAGMA temp_store = MEMORY; PRAGMA cache_size = {};", kCacheSize));
}

bool TraceDatabase::find_table(const std::string& name) const {
    Statement found(*this,
                    "SELECT 1 FROM main.sqlite_schema WHERE (type = 'view' OR (type = 'table' AND "
                    "rootpage > 0)) AND name = ?1");  // not a virtual table, which runs other code
    found.bind(1, name);
    return found.step();
}

void TraceDatabase::require_tables(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
        if (!find_table(name)) {
            throw TraceError(
                fmt::format("{}: this is no trace: it has no table '{}'", path_, name));
        }
    }
}

void TraceDatabase::execute(const std::string& sql) const {
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail("cannot use the trace");
    }
}

void TraceDatabase::close() {
    if (sqlite3_close(handle()) != SQLITE_OK) {
        fail("cannot close the trace");
    }
    connection_.get_deleter().close_folder();
    static_cast<void>(connection_.release());
}

// True if the system refused an operation; false if the user named a wrong file.
bool TraceDatabase::is_refused() const {
    const int error = sqlite3_system_errno(handle());
    switch (sqlite3_errcode(handle()) & 0xff) {
        case SQLITE_FULL:
        case SQLITE_IOERR:
        case SQLITE_NOMEM:
            return true;
        case SQLITE_CANTOPEN:
            return is_own_ ||
                   (error != 0 && error != ENOENT && error != ENOTDIR && error != EISDIR);
        case SQLITE_READONLY:
            return is_own_;
        default:
            return false;
    }
}

void TraceDatabase::fail(std::string_view fault) const {
    if (lacks_locks(handle())) {
        throw setup::SurroundingsFault(path_ + ": its file system has no locks",
                                       sqlite_reason(handle()));
    }
    if (is_refused()) {
        throw setup::SurroundingsFault(fmt::format("{}: {}", path_, fault),
                                       sqlite_reason(handle()));
    }
    throw TraceError(fmt::format("{}: {}: {}", path_, fault, sqlite3_errmsg(handle())));
}

Statement::Statement(const TraceDatabase& database, std::string_view sql) : database_(&database) {
    sqlite3_stmt* statement = nullptr;
    const int result =
        sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    statement_.reset(statement);
    check(result);
}

std::string_view Statement::text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    const int length = sqlite3_column_bytes(statement_.get(), column);
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

void Statement::fail() const {
    const bool reads = sqlite3_stmt_readonly(statement_.get()) != 0;
    database_->fail(reads ? "cannot read the trace" : "cannot write the trace");
}

}  // namespace weir::experiments::trace
