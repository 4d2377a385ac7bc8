#pragma once

#include <string>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir trace digest RUN`: the hash of a cycle trace.
class TraceCommand final : public Command {
  public:
    TraceCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::string path_;
};

}  // namespace weir::experiments::commands
