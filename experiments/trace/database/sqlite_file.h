#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

namespace weir::experiments::trace {

/// Closes a connection, and the folder that open_sqlite() opened for a long path.
class SqliteCloser {
  public:
    explicit SqliteCloser(int folder = -1) : folder_(folder) {}
    void operator()(sqlite3* connection) const;
    /// Closes only the folder, for a connection that is already closed.
    void close_folder() const;

  private:
    int folder_;  ///< file descriptor of the folder; -1: no folder was opened
};

using SqliteConnection = std::unique_ptr<sqlite3, SqliteCloser>;

/// Opens a file with SQLITE_OPEN_ flags. SQLite limits paths to 512 bytes, so a longer path is
/// opened through a descriptor of its folder. `result` is SQLite's result code. If the file cannot
/// be opened, the connection gives the reason; the connection is null only if memory ran out.
[[nodiscard]] SqliteConnection open_sqlite(const std::filesystem::path& path, int flags,
                                           int& result);

/// Protects against a file that somebody else has made. Its triggers don't fire, its views and
/// expressions can't have side effects, and its schema can't be edited as data.
void distrust_schema(sqlite3* connection);

/// True if the connection's last fault is that the file system has no locks.
[[nodiscard]] bool lacks_locks(sqlite3* connection);

/// SQLite's message for its last fault, with the system's reason if there is one, for example "disk
/// I/O error (Input/output error)".
[[nodiscard]] std::string sqlite_reason(sqlite3* connection);

}  // namespace weir::experiments::trace
