#pragma once

#include <cstdint>
#include <string>

#include "experiments/commands/command.h"
#include "experiments/commands/topology/topology_choice.h"

namespace weir::experiments::commands {

/// `weir topology show`: what a network's graph says, without running a machine. `weir topology
/// distances`: LogP's table of mean distances, by its formulas and by search.
class TopologyCommand final : public Command {
  public:
    TopologyCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    [[nodiscard]] int show_network() const;
    [[nodiscard]] int show_distances() const;

    CLI::App* distances_ = nullptr;
    std::int64_t processors_ = 1024;
    TopologyRequest request_;
    std::string picture_file_;
    bool json_ = false;
};

}  // namespace weir::experiments::commands
