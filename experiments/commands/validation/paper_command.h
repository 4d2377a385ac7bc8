#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

/// `weir paper NAME`: all experiments of one paper and what it says in numbers, on one page. With
/// --markdown those numbers alone, as the paper's README.md has them; with --check, whether it
/// does.
class PaperCommand final : public Command {
  public:
    PaperCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    int check_pages() const;
    int write_page_of_all();

    running::RunOptions options_;
    std::string paper_;
    std::vector<std::string> only_;
    bool markdown_ = false;
    bool check_ = false;
    std::string folder_;
    bool again_ = false;
};

}  // namespace weir::experiments::commands
