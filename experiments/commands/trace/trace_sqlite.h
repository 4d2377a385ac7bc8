#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace weir::experiments::commands {

/// `weir trace sqlite RUN`: traces as SQLite files, for SQL and Python.
class TraceSqlite {
  public:
    /// Declares options and arguments.
    void declare(CLI::App& command);
    /// Writes a file for each trace and returns the exit status. A file that exists is replaced
    /// when all of the new one is written. Throws setup::UserFault and trace::TraceError.
    int execute() const;

  private:
    std::string run_;
    std::string file_;
};

}  // namespace weir::experiments::commands
