#pragma once

#include <string>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir completion SHELL`: the script that has a shell complete command lines.
class CompletionCommand final : public Command {
  public:
    CompletionCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    const CLI::App* program_ = nullptr;
    std::string shell_;
};

}  // namespace weir::experiments::commands
