#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/user_fault.h"
#include "experiments/validation/findings_table.h"
#include "experiments/validation/paper_page.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;
using validation::Paper;

namespace {

/// `weir paper NAME`: runs all experiments of one paper, and writes one page with them and the
/// paper's figures.
/// - `--markdown` prints only the table for the paper's README.md.
/// - `--check` compares that table with the README.md.
class PaperCommand final : public Command {
  public:
    PaperCommand()
        : Command("paper", "Run all experiments of a paper and write one page"),
          options_(running::default_run_options()) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("NAME", paper_,
                           "lopc, logp, logpc or memory-logp; optional with\n--check [all papers]");
        command
            .add_option("--out", folder_,
                        "Folder for runs and page [runs/NAME]; runs in it\n"
                        "of the same program and files are not repeated")
            .type_name("FOLDER");
        add_jobs(command, options_.workers);
        add_settings(command, options_.set_options,
                     "Override a key in all experiments of the paper");
        command.add_flag("--markdown", markdown_,
                         "Print the table of the paper's README.md, and run\n"
                         "only the experiments that it needs");
        command.add_flag("--check", check_,
                         "Compare the README.md with that table; change\nnothing");
        command
            .add_option("--only", only_,
                        "With --markdown or --check: rows with this part of\n"
                        "a name, text or source; wildcards * and ?;\n"
                        "repeatable")
            .type_name("PATTERN")
            .takes_one_value();
        command.add_flag("--again", again_, "Repeat all runs");
        command.add_flag("--sensitivity", options_.with_sensitivity,
                         "Also run the variants of the sensitivity tables");
        command.footer(
            "Exit status: 0 success; 1 a tolerance is missed, a claim does not hold, or a\n"
            "page differs; otherwise that of the first failed experiment.");
    }

    int execute() override {
        if (check_) {
            return check_pages();
        }
        if (markdown_) {
            const Paper& paper = validation::find_paper(paper_);
            std::cout << validation::computed_table(paper, validation::claims_of(paper, only_),
                                                    options_);
            return running::kSuccess;
        }
        if (!only_.empty()) {
            throw setup::UserFault({"--only"}, "only a table can be reduced to some rows",
                                   "with --markdown or --check");
        }
        return write_page_of_all();
    }

    int check_pages() const {
        int status = running::kSuccess;
        bool has_compared = false;
        for (const Paper& paper : validation::papers()) {
            const bool is_meant = paper_.empty() || &paper == &validation::find_paper(paper_);
            const std::vector<validation::Claim> claims = validation::claims_of(paper, only_);
            if (!is_meant || claims.empty()) {
                continue;
            }
            has_compared = true;
            const fs::path page = running::data_folder() / "experiments" / paper.name / "README.md";
            const std::string on_page = validation::table_on_page(page, paper.name);
            const std::vector<std::string> found = validation::differences(
                on_page, validation::computed_table(paper, claims, options_), only_.empty());
            for (const std::string& difference : found) {
                std::cout << page.string() << ": " << difference << "\n";
            }
            std::cout << fmt::format(
                "{}: {}\n", page.string(),
                found.empty() ? "as computed" : "differs from the computed table");
            status = found.empty() ? status : running::kToleranceMissed;
        }
        if (!has_compared) {
            throw setup::UserFault({fmt::format("--only {}", fmt::join(only_, " --only "))},
                                   "no row of the page matches",
                                   "a part of a row's name, text or source");
        }
        return status;
    }

    int write_page_of_all() {
        const Paper& paper = validation::find_paper(paper_);
        const fs::path folder = folder_.empty() ? fs::path("runs") / paper.name : fs::path(folder_);
        const validation::PaperPage made = validation::paper_page(paper, folder, options_, again_);
        const std::string page = (folder / "report.html").string();
        write_page(made.document, page);
        std::cout << fmt::format("{}: {} figures\n", page,
                                 records::figures_of(made.document).size());
        return made.status == running::kSuccess && made.any_missed ? running::kToleranceMissed
                                                                   : made.status;
    }

    running::RunOptions options_;
    std::string paper_;
    std::vector<std::string> only_;
    bool markdown_ = false;
    bool check_ = false;
    std::string folder_;
    bool again_ = false;
};

}  // namespace

std::unique_ptr<Command> paper_command() { return std::make_unique<PaperCommand>(); }

}  // namespace weir::experiments::commands
