#include "experiments/trace/database/sqlite_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <system_error>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::trace {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFileSystemName = "weir-long-paths";
// Longest path for SQLite itself. SQLite's limit is 512 bytes, including suffixes such as
// "-journal".
constexpr std::size_t kLongestPlainPath = 400;

// Passes a path to SQLite unchanged. SQLite's own function would replace the descriptor in the path
// by the long path again.
int take_path(sqlite3_vfs* /*system*/, const char* path, int room, char* full_path) {
    sqlite3_snprintf(room, full_path, "%s", path);
    return SQLITE_OK;
}

// SQLite takes a file system without locks for one whose locks are held, and waits.
int fcntl_with_reason(int file, int command, ...) {  // NOLINT(cert-dcl50-cpp): fcntl's type
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    const int result = ::fcntl(file, command, argument);
    if (result != 0 && command == F_SETLK && errno == ENOLCK) {
        errno = EOPNOTSUPP;
    }
    return result;
}

void install_reason_for_locks() {
    static const bool is_installed = [] {
        sqlite3_vfs* const system =
            sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(nullptr) : nullptr;
        return system != nullptr && system->iVersion >= 3 &&
               system->xSetSystemCall(system, "fcntl",
                                      reinterpret_cast<sqlite3_syscall_ptr>(fcntl_with_reason)) ==
                   SQLITE_OK;
    }();
    static_cast<void>(is_installed);
}

// Registers SQLite's file system with take_path().
bool register_file_system() {
    static sqlite3_vfs system = [] {
        sqlite3_vfs copy = *sqlite3_vfs_find(nullptr);
        copy.zName = kFileSystemName;
        copy.pNext = nullptr;
        copy.xFullPathname = take_path;
        return copy;
    }();
    return sqlite3_vfs_register(&system, 0) == SQLITE_OK;
}

}  // namespace

void SqliteCloser::operator()(sqlite3* connection) const {
    sqlite3_close_v2(connection);
    close_folder();
}

void SqliteCloser::close_folder() const {
    if (folder_ >= 0) {
        ::close(folder_);
    }
}

SqliteConnection open_sqlite(const fs::path& path, int flags, int& result) {
    install_reason_for_locks();
    std::string name = path.string();
    const char* file_system = nullptr;
    int folder = -1;
    std::error_code unknown;
    const bool is_long =
        name != ":memory:" && fs::absolute(path, unknown).string().size() > kLongestPlainPath;
    if (is_long && sqlite3_initialize() == SQLITE_OK && register_file_system()) {
        const fs::path parent = path.parent_path();
        folder = ::open(parent.empty() ? "." : parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            name = fmt::format("/proc/self/fd/{}/{}", folder, path.filename().string());
            file_system = kFileSystemName;
        }
    }
    sqlite3* connection = nullptr;
    result = sqlite3_open_v2(name.c_str(), &connection, flags | SQLITE_OPEN_NOMUTEX, file_system);
    if (connection == nullptr) {
        SqliteCloser(folder).close_folder();
    }
    return {connection, SqliteCloser(folder)};
}

void distrust_schema(sqlite3* connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

bool lacks_locks(sqlite3* connection) {
    switch (sqlite3_extended_errcode(connection)) {
        case SQLITE_IOERR_LOCK:
        case SQLITE_IOERR_RDLOCK:
        case SQLITE_IOERR_CHECKRESERVEDLOCK:
            return true;
        default:
            return false;
    }
}

std::string sqlite_reason(sqlite3* connection) {
    const std::string reason = sqlite3_errmsg(connection);
    const int kind = sqlite3_errcode(connection) & 0xff;
    const int error = sqlite3_system_errno(connection);
    // If SQLite cannot create a file, it tries to open it for reading and reports that the file
    // does not exist.
    const bool is_of_system = kind == SQLITE_IOERR || (kind == SQLITE_CANTOPEN && error != ENOENT);
    return is_of_system && error != 0 ? fmt::format("{} ({})", reason, setup::system_reason(error))
                                      : reason;
}

}  // namespace weir::experiments::trace
