#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir list [KIND] [PATTERN]`: what there is to run, to run it on and to ask.
class ListCommand final : public Command {
  public:
    ListCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::string kind_;
    std::string pattern_;
    bool json_ = false;
    bool schema_ = false;
};

/// The kinds of things that there are lists of.
[[nodiscard]] std::vector<std::string> listed_kinds();

}  // namespace weir::experiments::commands
