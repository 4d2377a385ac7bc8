#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/pages/sweep_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/running/clusters/slurm_array.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/merge_sweeps.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/database/sweep_difference.h"
#include "experiments/running/sweeps/plan/later_changes.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// `weir sweep FILE`: runs the points of a sweep into a database. `weir sweep submit` runs the
/// points on a batch system. `weir sweep show`, `merge` and `diff` work on databases of results.
class SweepCommand final : public Command {
  public:
    SweepCommand() : Command("sweep", "Run all points of a sweep into one database") {
        const running::RunOptions defaults = running::default_run_options();
        options_.presets = defaults.presets;
    }

  private:
    void declare(CommandSyntax command) override {
        declare_run(command);
        declare_submit(command.add_subcommand("submit", "Submit a sweep to a batch system"));
        show_command_ = command.add_subcommand("show", "Print findings and points of a sweep");
        show_command_.add_option("DB", shown_, "Database of the sweep").required();
        show_command_
            .add_option("--metric", metrics_,
                        "Metric to show, repeatable\n[the kernel's main metric]")
            .type_name("NAME")
            .takes_one_value();
        show_command_.add_flag("--csv", csv_,
                               "Print CSV with all digits: one line per run, all\n"
                               "metrics or those that --metric names");

        merge_command_ =
            command.add_subcommand("merge", "Merge the databases of a sweep's shards into one");
        merge_command_.add_option("DB", parts_, "Databases that weir sweep --shard has made")
            .required();
        merge_command_.add_option("-o,--out", merged_, "Database to create")
            .type_name("DB")
            .required();

        diff_command_ = command.add_subcommand("diff", "Compare the points of two databases");
        diff_command_.add_option("BEFORE", before_, "Database of a sweep").required();
        diff_command_.add_option("AFTER", after_, "Database of a later sweep with the same axes")
            .required();
        diff_command_
            .add_option("--metric", metric_, "Metric to compare [the kernel's main metric]")
            .type_name("NAME");
        diff_command_.footer(
            "Exit status: 0 no point has changed, 1 a point has changed, 2 bad input.");
        // The footer is set after the subcommands are declared, which would otherwise inherit it.
        command.footer(
            "Exit status: 0 if all runs succeeded, otherwise that of the first failed run.\n"
            "After an interruption, the database keeps all completed runs.");
        command.require_subcommand(0, 1);
    }

    int execute() override {
        if (show_command_.is_named()) {
            return show();
        }
        if (submit_command_.is_named()) {
            return submit();
        }
        if (merge_command_.is_named()) {
            return merge();
        }
        if (diff_command_.is_named()) {
            return compare();
        }
        if (file_.empty()) {
            throw setup::UserFault(
                "there is no FILE to sweep, and no command (see weir sweep --help)");
        }
        complete_options();
        return is_dry_run_ ? list_points() : run();
    }

    void declare_run(CommandSyntax command) {
        command.add_option("FILE", file_, "Experiment with a table [sweep] (TOML)")
            .transform(from_own_experiments());
        jobs_ = add_jobs(command, options_.workers);
        command.add_option("--out", database_, "Database to create [runs/NAME.db]").type_name("DB");
        command.add_flag("--resume", options_.resume,
                         "Continue a database: run what is missing in it");
        command.add_flag("--retry", options_.retry, "With --resume: also repeat failed runs");
        command
            .add_option_function(
                "--resume-at",
                [this](const std::string& cycle) {
                    options_.resume_at = hw::Cycles(std::stoll(cycle));
                },
                "Run to this cycle once for all points, which\ndiffer only in keys that act later")
            .type_name("CYCLE")
            .check(whole_number(1, INT64_MAX / 4));
        command.add_flag("--dry-run", is_dry_run_, "List the points without running them");
        command.add_option("--shard", shard_, "Run part I of N: points I, I + N, I + 2N, ...")
            .type_name("I/N");
        // Option that weir sweep submit sets for its jobs.
        command.add_option("--plan", plan_digest_).hidden();
        add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
        add_permissions(command, options_.permissions);
    }

    void complete_options() {
        options_.file = file_;
        if (!database_.empty()) {
            options_.database = database_;
        }
        if (!shard_.empty()) {
            options_.shard = running::parse_shard(shard_);
        }
        if (!plan_digest_.empty()) {
            options_.plan_digest = plan_digest_;
        }
        if (options_.retry && !options_.resume) {
            throw setup::UserFault({"--retry"}, "without --resume there is no failed run to repeat",
                                   "with --resume");
        }
    }

    [[nodiscard]] int run() {
        if (!jobs_.is_given()) {
            options_.workers = running::default_run_options().workers;
        }
        const std::optional<running::SweepSummary> done = running::run_sweep(options_);
        if (!done) {
            return running::kSuccess;
        }
        const running::SweepSummary& summary = *done;
        if (summary.is_interrupted) {
            running::CommandLine others{"--resume"};
            for (const auto& [option, value] : {std::pair("--out", database_),
                                                {"--shard", shard_},
                                                {"--resume-at", resume_at_text()}}) {
                if (!value.empty()) {
                    others.insert(others.end(), {option, value});
                }
            }
            running::add_permission_words(options_.permissions, others);
            throw running::RunFailure(
                running::interruption_status(),
                fmt::format("interrupted; {} of {} runs are in {}; continue with: {}",
                            summary.recorded, summary.runs, summary.database,
                            running::shell_text(running::weir_command("sweep", file_, others,
                                                                      options_.set_options))));
        }
        std::cout << running::summary_page(summary);
        return summary.exit_status;
    }

    [[nodiscard]] std::string resume_at_text() const {
        return options_.resume_at ? std::to_string(options_.resume_at->count()) : "";
    }

    [[nodiscard]] int list_points() const {
        const running::SweepPlan plan = running::make_plan(
            options_.file, options_.presets, options_.set_options, options_.permissions,
            running::GatePrices::kChecked);  // the list has no costs
        if (options_.resume_at) {
            running::require_prefix(plan, *options_.resume_at);
        }
        std::set<std::pair<std::string, std::uint64_t>> done;
        if (options_.resume) {
            done = running::SweepDatabase::open(running::database_of(options_),
                                                running::SweepConnection::Access::kRead)
                       .done(options_.retry);
        }
        std::cout << running::plan_page(plan, running::requests_of(plan, options_.shard, done));
        return running::kSuccess;
    }

    [[nodiscard]] int show() const {
        const auto database =
            running::SweepDatabase::open(shown_, running::SweepConnection::Access::kRead);
        for (const std::string& metric : metrics_) {
            database.require_metric(metric);
        }
        std::cout << (csv_ ? running::database_csv(database, metrics_)
                           : pages::text_page(pages::sweep_document(
                                 running::read_sweep(database, metrics_), metrics_)));
        return running::kSuccess;
    }

    void declare_submit(CommandSyntax command) {
        submit_command_ = command;
        command.add_option("FILE", file_, "Experiment with a table [sweep] (TOML)")
            .required()
            .transform(from_own_experiments());
        command
            .add_flag("--slurm", to_slurm_,
                      "Submit a Slurm job array, and a job that merges\n"
                      "its results")
            .required();
        command
            .add_option("--tasks", slurm_.tasks,
                        "Number of tasks of the array\n[one for each point, at most 100]")
            .type_name("N")
            .check(whole_number(1, 100'000, true));
        options_.workers = 1;
        add_jobs(command, options_.workers, "Concurrent runs, and cores, of a task [1]");
        command.add_option("--out", database_, "Merged database [runs/NAME.db]").type_name("DB");
        command.add_flag("--resume", options_.resume, "Submit only the tasks that have runs left");
        command.add_flag("--retry", options_.retry, "With --resume: also repeat failed runs");
        command.add_flag("--dry-run", is_dry_run_,
                         "Print scripts and commands without submitting them");
        command
            .add_option("--sbatch", slurm_.sbatch,
                        "Option for sbatch, repeatable: --sbatch=--time=60")
            .type_name("OPTION")
            .takes_one_value();
        add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
        add_permissions(command, options_.permissions);
        command.footer(
            "The folder NAME.slurm beside the database gets the scripts, the tasks' databases\n"
            "and their output. All hosts must have access to this folder, FILE and weir.");
    }

    [[nodiscard]] int submit() {
        complete_options();
        const running::SlurmArray array = running::slurm_array(options_, slurm_);
        if (is_dry_run_) {
            std::cout << running::slurm_scripts_page(array);
        } else if (array.to_run.empty()) {
            std::cout << "no run is left to do: weir sweep merge " << array.folder.string()
                      << "/part-*.db --out DB\n";
        } else {
            std::cout << running::slurm_page(array, running::submit(array));
        }
        return running::kSuccess;
    }

    [[nodiscard]] int merge() const {
        const std::size_t runs =
            running::merge_sweeps(std::vector<fs::path>(parts_.begin(), parts_.end()), merged_);
        std::cout << fmt::format("{} runs are in {}\n", runs, merged_);
        return running::kSuccess;
    }

    [[nodiscard]] int compare() const {
        using running::SweepConnection;
        const auto before = running::SweepDatabase::open(before_, SweepConnection::Access::kRead);
        const auto after = running::SweepDatabase::open(after_, SweepConnection::Access::kRead);
        const running::SweepDifference difference = running::difference_of(before, after, metric_);
        std::cout << running::difference_page(difference, before, after);
        return difference.changed.empty() ? running::kSuccess : running::kToleranceMissed;
    }

    running::SweepOptions options_;
    std::string file_;
    std::string database_;
    std::string shard_;
    std::string plan_digest_;
    bool is_dry_run_ = false;
    Option jobs_;

    CommandSyntax submit_command_;
    running::SlurmOptions slurm_;
    bool to_slurm_ = false;

    CommandSyntax show_command_;
    CommandSyntax merge_command_;
    CommandSyntax diff_command_;
    std::string shown_;
    std::vector<std::string> metrics_;
    bool csv_ = false;
    std::vector<std::string> parts_;
    std::string merged_;
    std::string before_;
    std::string after_;
    std::string metric_;
};

}  // namespace

std::unique_ptr<Command> sweep_command() { return std::make_unique<SweepCommand>(); }

}  // namespace weir::experiments::commands
