#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir firmware FILE`: what a Sparcle experiment's instructions take, as the tables that tell a
/// behavioural core the same.
class FirmwareCommand final : public Command {
  public:
    FirmwareCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::filesystem::path presets_;
    std::string file_;
    std::vector<std::string> set_options_;
};

}  // namespace weir::experiments::commands
