#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/commands/topology_choice.h"

namespace weir::experiments::commands {

/// `weir topology show`: what a network's graph says, without running a machine.
class TopologyCommand final : public Command {
  public:
    TopologyCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    TopologyRequest request_;
    std::string picture_file_;
    bool json_ = false;
};

}  // namespace weir::experiments::commands
