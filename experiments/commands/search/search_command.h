#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/records/search_result.h"
#include "experiments/running/sweeps/run_sweep.h"

namespace weir::experiments::commands {

/// `weir search FILE`: the best point of a sweep's axes, with a stated number of runs.
class SearchCommand final : public Command {
  public:
    SearchCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    [[nodiscard]] int show(const records::SearchResult& result) const;

    running::SweepOptions options_;
    std::string file_;
    std::string database_;
    std::string page_;
    bool is_dry_run_ = false;
};

}  // namespace weir::experiments::commands
