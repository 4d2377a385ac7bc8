#include "experiments/commands/search/search_command.h"

#include <iostream>

#include "experiments/commands/own_files.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/search_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/search/run_search.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

SearchCommand::SearchCommand() : Command("search", "Find the best point of a sweep with few runs") {
    const running::RunOptions defaults = running::default_run_options();
    options_.presets = defaults.presets;
    options_.workers = defaults.workers;
}

void SearchCommand::declare(CLI::App& command) {
    command.add_option("FILE", file_, "An experiment with [sweep] and [search] (TOML)")
        ->required()
        ->transform(from_own_experiments());
    add_jobs(command, options_.workers);
    command.add_option("--out", database_, "The sweep's database [runs/NAME.db]")->type_name("DB");
    command.add_flag("--resume", options_.resume, "Go on with a database: run what it lacks");
    command.add_flag("--retry", options_.retry, "With --resume: and what did not end well");
    command.add_flag("--dry-run", is_dry_run_, "Show the rounds, and run none");
    command.add_option("--html", page_, "The result as a page, too")->type_name("FILE");
    add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
    command.footer(
        "Exit status: 0 a point was found, else that of the first run that did not end\n"
        "well. What has ended is in the database, also after an interruption.");
}

int SearchCommand::execute() {
    require_page_name(page_, "--html");
    options_.file = file_;
    if (!database_.empty()) {
        options_.database = database_;
    }
    if (options_.retry && !options_.resume) {
        throw setup::UserFault({"--retry"}, "there is nothing to do once more", "with --resume");
    }
    if (is_dry_run_) {
        std::cout << pages::text_page(pages::planned_search_document(
            running::planned_search(running::make_search_plan(options_))));
        return running::kSuccess;
    }
    const std::optional<records::SearchResult> result = running::run_search(options_);
    return result ? show(*result) : running::kSuccess;
}

int SearchCommand::show(const records::SearchResult& result) const {
    const auto database =
        running::SweepDatabase::open(result.database, running::SweepConnection::Access::kRead);
    const records::Document document =
        pages::search_document(result, running::read_sweep(database, {result.metric}));
    if (!page_.empty()) {
        write_page(document, page_);
    }
    std::cout << pages::text_page(document);
    for (const records::SearchResult::Trouble& trouble : result.troubles) {
        if (trouble.is_killed || result.finalists.empty()) {
            return trouble.exit_status;
        }
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
