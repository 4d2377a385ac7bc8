#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/run/run_experiment.h"

namespace weir::experiments::commands {

/// `weir validate FILE...`: published values against what is measured.
class ValidateCommand final : public Command {
  public:
    ValidateCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::vector<std::string> files_;
    run::RunOptions options_;
};

}  // namespace weir::experiments::commands
