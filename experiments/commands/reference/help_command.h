#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir help [COMMAND]`: as `weir COMMAND --help`.
class HelpCommand final : public Command {
  public:
    HelpCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    const CLI::App* program_ = nullptr;
    std::vector<std::string> words_;
};

}  // namespace weir::experiments::commands
