#pragma once

#include <nlohmann/json.hpp>
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
    void run();
    void look() const;
    void show(const records::ExperimentResult& result);
    void print(const std::string& text) const;
    void print_json(const nlohmann::ordered_json& result) const;

    running::RunOptions options_;
    std::string folder_;
    std::string resumed_folder_;
    bool json_ = false;
    bool is_dry_run_ = false;
    bool has_printed_points_ = false;  ///< of the experiment that runs; its variants run now
};

}  // namespace weir::experiments::commands
