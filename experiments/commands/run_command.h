#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// `weir run FILE`: every point and seed of an experiment, or of a study's parts.
class RunCommand final : public Command {
  public:
    RunCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    void look() const;
    template <class Result>
    void show(const Result& result) const;

    running::RunOptions options_;
    std::string folder_;
    bool json_ = false;
    bool is_dry_run_ = false;
};

}  // namespace weir::experiments::commands
