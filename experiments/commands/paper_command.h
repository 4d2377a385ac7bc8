#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// `weir paper NAME`: all experiments of one paper and what it says in numbers, on one page.
class PaperCommand final : public Command {
  public:
    PaperCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    running::RunOptions options_;
    std::string paper_;
    std::string folder_;
    bool again_ = false;
    bool no_sensitivity_ = false;
};

}  // namespace weir::experiments::commands
