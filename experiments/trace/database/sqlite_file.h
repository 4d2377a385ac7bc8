#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

namespace weir::experiments::trace {

/// Closes a connection, and what open_sqlite() needed for its path.
class SqliteCloser {
  public:
    explicit SqliteCloser(int folder = -1) : folder_(folder) {}
    void operator()(sqlite3* connection) const;
    /// The connection is closed already.
    void close_folder() const;

  private:
    int folder_;  ///< descriptor; -1 without
};

using SqliteConnection = std::unique_ptr<sqlite3, SqliteCloser>;

/// Opens a file with SQLITE_OPEN_ flags. SQLite takes 512 bytes of path, this all that the system
/// does: a longer one goes through a descriptor of its folder. `result` is SQLite's. There is a
/// connection to ask for the reason also where it could not be opened, unless there is no memory.
[[nodiscard]] SqliteConnection open_sqlite(const std::filesystem::path& path, int flags,
                                           int& result);

/// What SQLite says of its last fault, and where the system refused something its reason:
/// "disk I/O error (Input/output error)".
[[nodiscard]] std::string sqlite_reason(sqlite3* connection);

}  // namespace weir::experiments::trace
