#pragma once

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir kernels`: what workload.kernel can name.
class KernelsCommand final : public Command {
  public:
    KernelsCommand();

  private:
    void declare(CLI::App& /*command*/) override {}
    int execute() override;
};

}  // namespace weir::experiments::commands
