#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/search_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/records/search_result.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/running/sweeps/search/run_search.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

/// `weir search FILE`: finds the best point of a sweep's axes with a given number of runs.
class SearchCommand final : public Command {
  public:
    SearchCommand() : Command("search", "Find a sweep's best point with a part of its runs") {
        const running::RunOptions defaults = running::default_run_options();
        options_.presets = defaults.presets;
        options_.workers = defaults.workers;
    }

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", file_, "An experiment with [sweep] and [search] (TOML)")
            .required()
            .transform(from_own_experiments());
        add_jobs(command, options_.workers);
        command.add_option("--out", database_, "The sweep's database [runs/NAME.db]")
            .type_name("DB");
        command.add_flag("--resume", options_.resume,
                         "Continue a database: run what is missing in it");
        command.add_flag("--retry", options_.retry, "With --resume: also repeat failed runs");
        command.add_flag("--dry-run", is_dry_run_, "Show the rounds without running them");
        command.add_flag("--json", json_, "Print the result as one JSON object");
        command.add_option("--html", page_, "Also write the result as an HTML page")
            .type_name("FILE");
        add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
        add_permissions(command, options_.permissions);
        command.footer(
            "Exit status: 0 if a point was found and no run was killed, otherwise that of\n"
            "the first failed or killed run. The database keeps all completed runs, also\n"
            "after an interruption.");
    }

    int execute() override {
        require_page_name(page_, "--html");
        options_.file = file_;
        if (!database_.empty()) {
            options_.database = database_;
        }
        if (options_.retry && !options_.resume) {
            throw setup::UserFault({"--retry"}, "without --resume there is no failed run to repeat",
                                   "with --resume");
        }
        if (is_dry_run_) {
            const running::SearchPlan plan = running::make_search_plan(options_);
            std::cout << pages::text_page(
                pages::planned_search_document(running::planned_search(plan)));
            if (!plan.sweep.wants.empty()) {
                std::cout << "\n"
                          << setup::wrapped(running::wants_text(plan.sweep.wants) + ".", "", "");
            }
            return running::kSuccess;
        }
        const std::optional<records::SearchResult> result = running::run_search(options_);
        return result ? show(*result) : running::kSuccess;
    }

    [[nodiscard]] int show(const records::SearchResult& result) const {
        const auto database =
            running::SweepDatabase::open(result.database, running::SweepConnection::Access::kRead);
        const records::Document document =
            pages::search_document(result, running::read_sweep(database, {result.metric}));
        if (!page_.empty()) {
            write_page(document, page_);
        }
        std::cout << (json_ ? records::json_text(pages::search_json(result), 1) + "\n"
                            : pages::text_page(document));
        for (const records::SearchResult::Trouble& trouble : result.troubles) {
            if (trouble.is_killed || result.finalists.empty()) {
                return trouble.exit_status;
            }
        }
        return running::kSuccess;
    }

    running::SweepOptions options_;
    std::string file_;
    std::string database_;
    std::string page_;
    bool is_dry_run_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> search_command() { return std::make_unique<SearchCommand>(); }

}  // namespace weir::experiments::commands
