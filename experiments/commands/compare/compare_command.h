#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// `weir compare A B`: two machines, the same programs and seeds, on one page.
class CompareCommand final : public Command {
  public:
    CompareCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    running::RunOptions options_;
    std::string first_;
    std::string second_;
    std::string page_;
    bool json_ = false;
};

}  // namespace weir::experiments::commands
