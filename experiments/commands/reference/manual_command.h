#pragma once

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir man`: the manual page, to read or to install.
class ManualCommand final : public Command {
  public:
    ManualCommand();

  private:
    void declare(CLI::App& command) override { program_ = command.get_parent(); }
    int execute() override;

    const CLI::App* program_ = nullptr;
};

}  // namespace weir::experiments::commands
