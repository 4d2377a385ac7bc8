#include "experiments/commands/validate_command.h"

#include <algorithm>
#include <iostream>

#include "experiments/commands/default_run_options.h"
#include "experiments/run/validation.h"

namespace weir::experiments::commands {

ValidateCommand::ValidateCommand()
    : Command("validate", "Set published, measured and predicted side by side"),
      options_(default_run_options()) {}

void ValidateCommand::declare(CLI::App& command) {
    command.add_option("FILE", files_, "Experiments (TOML)")->required();
    command
        .add_option("--set", options_.set_options,
                    "Override a key in all of them: --set run.seeds=[1]")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("-j,--jobs", options_.workers, "Runs at a time [all cores]")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
}

int ValidateCommand::execute() {
    options_.with_sensitivity = false;
    for (const std::string& file : files_) {  // a mistake in the last must not cost the first
        options_.file = file;
        run::check_experiment(options_);
    }
    std::vector<run::Check> checks;
    for (const std::string& file : files_) {
        options_.file = file;
        const std::vector<run::Check> found = run::validate(run::run_experiment(options_));
        std::cout << run::validation_table(file, found) << std::flush;
        checks.insert(checks.end(), found.begin(), found.end());
    }
    std::cout << run::validation_summary(checks);
    const bool any_missed = std::any_of(checks.begin(), checks.end(),
                                        [](const run::Check& check) { return check.missed(); });
    return any_missed ? run::kToleranceMissed : run::kSuccess;
}

}  // namespace weir::experiments::commands
