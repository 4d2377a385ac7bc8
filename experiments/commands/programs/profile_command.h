#pragma once

#include "experiments/commands/command.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// `weir profile FILE`: where the cycles of a Sparcle experiment's programs go.
class ProfileCommand final : public Command {
  public:
    ProfileCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    running::RunOptions options_;
    std::string folder_;
};

}  // namespace weir::experiments::commands
