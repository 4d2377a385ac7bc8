#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/running/clusters/slurm_array.h"
#include "experiments/running/sweeps/run_sweep.h"

namespace weir::experiments::commands {

/// `weir sweep FILE`: runs the points of a sweep into a database; `weir sweep submit` has a batch
/// system do it; `weir sweep show`, `merge` and `diff` work on what came of it.
class SweepCommand final : public Command {
  public:
    SweepCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    void declare_run(CLI::App& command);
    void complete_options();
    [[nodiscard]] int run();
    [[nodiscard]] int list_points() const;
    [[nodiscard]] int show() const;
    void declare_submit(CLI::App& command);
    [[nodiscard]] int submit();
    [[nodiscard]] int merge() const;
    [[nodiscard]] int compare() const;

    running::SweepOptions options_;
    std::string file_;
    std::string database_;
    std::string shard_;
    std::string plan_digest_;
    bool is_dry_run_ = false;
    CLI::Option* jobs_ = nullptr;

    CLI::App* submit_command_ = nullptr;
    running::SlurmOptions slurm_;
    bool to_slurm_ = false;

    CLI::App* show_command_ = nullptr;
    CLI::App* merge_command_ = nullptr;
    CLI::App* diff_command_ = nullptr;
    std::string shown_;
    std::vector<std::string> metrics_;
    bool csv_ = false;
    std::vector<std::string> parts_;
    std::string merged_;
    std::string before_;
    std::string after_;
    std::string metric_;
};

}  // namespace weir::experiments::commands
