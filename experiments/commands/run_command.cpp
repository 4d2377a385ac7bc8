#include "experiments/commands/run_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "experiments/commands/default_run_options.h"
#include "experiments/config/study.h"
#include "experiments/run/dry_run.h"
#include "experiments/run/report.h"
#include "experiments/run/run_study.h"

namespace weir::experiments::commands {

RunCommand::RunCommand()
    : Command("run", "Run an experiment file and show the result"),
      options_(default_run_options()) {}

void RunCommand::declare(CLI::App& command) {
    command.add_option("FILE", options_.file, "The experiment, or a study with parts (TOML)")
        ->required()
        ->transform(from_own_experiments());
    command.add_option("--set", options_.set_options, "Override a key: --set network.hop_cycles=2")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    CLI::Option* out =
        command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
            ->type_name("FOLDER")
            ->check([](const std::string& name) {
                return name.empty() ? std::string("the folder's name is empty") : std::string();
            });
    command.add_option("-j,--jobs", options_.workers, "Runs at a time [all cores]")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--json", json_, "Print the result as one JSON object");
    command
        .add_flag("--dry-run", is_dry_run_,
                  "Check the file, show the machine, its memory,\n"
                  "the runs and the time they may take")
        ->excludes(out);
    command.add_flag("--no-sensitivity", no_sensitivity_,
                     "Leave out the runs of the sensitivity table");
}

int RunCommand::execute() {
    options_.with_sensitivity = !no_sensitivity_;
    if (!folder_.empty()) {
        options_.folder = folder_;
    }
    if (is_dry_run_) {
        look();
        return run::kSuccess;
    }
    if (const auto study = config::read_study(options_.file)) {
        show(run::run_study(*study, options_));
    } else {
        show(run::run_experiment(options_));
    }
    return run::kSuccess;
}

void RunCommand::look() const {
    std::vector<run::RunOptions> experiments;
    if (const auto study = config::read_study(options_.file)) {
        for (const auto& part : study->parts) {
            experiments.push_back(options_);
            experiments.back().file = part;
        }
    } else {
        experiments.push_back(options_);
    }
    std::for_each(experiments.begin(), experiments.end(), run::check_experiment);
    std::vector<run::DryRun> looked_at;
    nlohmann::ordered_json documents = nlohmann::ordered_json::array();
    for (const run::RunOptions& options : experiments) {
        looked_at.push_back(run::dry_run(options));
        documents.push_back(run::to_json(looked_at.back()));
    }
    if (json_) {
        std::cout << (documents.size() == 1 ? documents.front() : documents).dump(1) << "\n";
    } else {
        std::cout << run::dry_run_page(looked_at);
    }
}

template <class Result>
void RunCommand::show(const Result& result) const {
    const std::string text = run::report(result);
    std::ofstream(std::filesystem::path(result.folder) / "report.txt") << text;
    std::cout << (json_ ? run::to_json(result).dump(1) + "\n" : text);
}

}  // namespace weir::experiments::commands
