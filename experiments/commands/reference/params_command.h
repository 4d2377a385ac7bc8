#pragma once

#include <string>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir params [PATTERN]`: what experiment files can say.
class ParamsCommand final : public Command {
  public:
    ParamsCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    std::string pattern_;
    bool schema_ = false;
    bool json_ = false;
};

}  // namespace weir::experiments::commands
