#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/pages/run_page.h"
#include "experiments/records/json_output.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/dry_run.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_study.h"
#include "experiments/setup/files/study.h"

namespace weir::experiments::commands {

namespace {

// Writes the text page into the result's folder.
template <class Result>
void keep_report(const Result& result) {
    records::write_run_file(std::filesystem::path(result.folder) / "report.txt",
                            pages::text_page(result));
}

/// `weir run FILE`: runs every point and seed of an experiment or of a study's parts.
class RunCommand final : public Command {
  public:
    RunCommand()
        : Command("run", "Run an experiment file and show the result"),
          options_(running::default_run_options()) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", options_.file, "Experiment, or a study with parts (TOML)")
            .required()
            .transform(from_own_experiments());
        add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
        command
            .add_option_function(
                "--files",
                [this](const std::string& folder) {
                    options_.set_options.push_back("workload.files=" + folder);
                },
                "Folder in which compiled programs read files\n[the experiment's]")
            .type_name("FOLDER")
            .check([](const std::string& folder) {
                return std::filesystem::is_directory(folder) ? std::string()
                                                             : "there is no folder " + folder;
            });
        Option out =
            command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
                .type_name("FOLDER")
                .check([](const std::string& name) {
                    return name.empty() ? std::string("the folder's name is empty") : std::string();
                });
        command.add_option("--resume", resumed_folder_, "Continue an interrupted run")
            .type_name("FOLDER")
            .excludes(out);
        add_permissions(command, options_.permissions);
        add_jobs(command, options_.workers);
        command.add_flag("--json", json_, "Print the result as one JSON object");
        command
            .add_flag("--dry-run", is_dry_run_,
                      "Check the file; show the machine, its memory, the\n"
                      "runs and the estimated time")
            .excludes(out);
        command
            .add_option_function(
                "--until",
                [this](const std::string& cycle) {
                    options_.set_options.push_back("run.most_cycles=" + cycle);
                    options_.stops_at_limit = true;
                },
                "Stop each run at this cycle, with status 0; its\n"
                "page shows the waiting parts and the queues")
            .type_name("CYCLE")
            .check(whole_number(1, INT64_MAX / 4));
        command.add_flag("--sensitivity", options_.with_sensitivity,
                         "Also run the variants of the sensitivity table,\n"
                         "which change unpublished parameters");
    }

    int execute() override {
        options_.resume = !resumed_folder_.empty();
        if (const std::string& folder = options_.resume ? resumed_folder_ : folder_;
            !folder.empty()) {
            options_.folder = folder;
        }
        if (is_dry_run_) {
            look();
            return running::kSuccess;
        }
        options_.points_ended = [this](const records::ExperimentResult& points) {
            print(pages::text_page_of_points(points));
            has_printed_points_ = true;
        };
        try {
            run();
        } catch (const running::RunFailure& failure) {
            for (const records::ExperimentResult& result : failure.so_far()) {
                if (!result.points.empty()) {
                    show(result);
                } else if (!result.endings.empty()) {
                    keep_report(result);
                }
                print_json(records::to_json(result));
            }
            throw;
        }
        return running::kSuccess;
    }

    void run() {
        if (const auto study = setup::read_study(options_.file)) {
            const records::StudyResult result =
                running::run_study(*study, options_, [this](const records::ExperimentResult& part) {
                    show(part);
                    print("\n");
                });
            keep_report(result);
            print(pages::text_page_of_all_parts(result));
            print_json(records::to_json(result));
        } else {
            const records::ExperimentResult result = running::run_experiment(options_);
            show(result);
            print_json(records::to_json(result));
        }
    }

    void look() const {
        std::vector<running::RunOptions> experiments;
        if (const auto study = setup::read_study(options_.file)) {
            for (const auto& part : study->parts) {
                experiments.push_back(options_);
                experiments.back().file = part;
            }
        } else {
            experiments.push_back(options_);
        }
        std::for_each(experiments.begin(), experiments.end(), running::check_experiment);
        std::vector<running::DryRun> looked_at;
        nlohmann::ordered_json documents = nlohmann::ordered_json::array();
        for (const running::RunOptions& options : experiments) {
            looked_at.push_back(running::dry_run(options));
            documents.push_back(running::to_json(looked_at.back()));
        }
        if (json_) {
            std::cout << records::json_text(documents.size() == 1 ? documents.front() : documents,
                                            1)
                      << "\n";
        } else {
            std::cout << running::dry_run_page(looked_at);
        }
    }

    void show(const records::ExperimentResult& result) {
        keep_report(result);
        if (std::exchange(has_printed_points_, false)) {
            print(pages::text_page_of_sensitivity(result));
        } else {
            print(pages::text_page(result));
        }
    }

    void print(const std::string& text) const {
        if (!json_) {
            std::cout << text << std::flush;
        }
    }

    void print_json(const nlohmann::ordered_json& result) const {
        if (json_) {
            std::cout << records::json_text(result, 1) << "\n";
        }
    }

    running::RunOptions options_;
    std::string folder_;
    std::string resumed_folder_;
    bool json_ = false;
    bool is_dry_run_ = false;
    bool has_printed_points_ = false;  ///< the current experiment's points are printed; only its
                                       ///< variants are still running
};

}  // namespace

std::unique_ptr<Command> run_command() { return std::make_unique<RunCommand>(); }

}  // namespace weir::experiments::commands
