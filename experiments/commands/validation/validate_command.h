#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/records/validation.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/check_claims.h"

namespace weir::experiments::commands {

/// `weir validate FILE...`: published values against what is measured, those of an experiment file
/// or those of a file of claims; with --trace, of an experiment that was run elsewhere.
class ValidateCommand final : public Command {
  public:
    ValidateCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    /// A file of experiments or claims, checked, nothing of it run.
    struct CheckedFile {
        std::string path;
        std::string title;
        std::unique_ptr<validation::ClaimsCheck> claims;  ///< null for an experiment
    };
    [[nodiscard]] CheckedFile check(const std::string& path);
    [[nodiscard]] records::ExperimentResult measure(const CheckedFile& file);
    /// With --trace.
    void require_one_experiment() const;

    std::vector<std::string> files_;
    std::vector<std::string> only_;
    std::vector<std::string> traces_;
    bool hypotheses_ = false;
    bool json_ = false;
    running::RunOptions options_;
};

}  // namespace weir::experiments::commands
