#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir profile FILE`: where the cycles of the compiled programs go, by function and line.
class ProfileCommand final : public Command {
  public:
    ProfileCommand() : Command("profile", "Run compiled programs and show what takes how long") {}

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::string file_;
    std::vector<std::string> set_options_;
    std::string folder_;
    std::optional<int> node_;
    std::size_t most_lines_ = 20;
};

}  // namespace weir::experiments::commands
