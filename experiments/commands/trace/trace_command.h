#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/commands/trace/trace_export.h"
#include "experiments/commands/trace/trace_sqlite.h"

namespace weir::experiments::commands {

/// `weir trace digest RUN`: the hash of a cycle trace. `weir trace schema`: its tables, explained.
/// `weir trace consistency RUN`: whether its accesses to shared memory can have happened one after
/// the other. `weir trace export RUN` and `weir trace sqlite RUN`: see TraceExport and TraceSqlite.
class TraceCommand final : public Command {
  public:
    TraceCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    [[nodiscard]] int print_digest() const;
    [[nodiscard]] int check_consistency() const;

    std::string digested_;
    std::string checked_;
    TraceExport export_;
    TraceSqlite sqlite_;
    CLI::App* export_command_ = nullptr;
    CLI::App* sqlite_command_ = nullptr;
    CLI::App* consistency_command_ = nullptr;
    CLI::App* schema_command_ = nullptr;
};

}  // namespace weir::experiments::commands
