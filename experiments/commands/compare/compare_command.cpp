#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/comparison_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/compare_machines.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace {

/// `weir compare A B`: one page about two machines that run the same programs with the same seeds.
class CompareCommand final : public Command {
  public:
    CompareCommand()
        : Command("compare", "Compare two machines on the same programs"),
          options_(running::default_run_options()) {
        options_.keep_traces = false;
    }

  private:
    void declare(CommandSyntax command) override {
        command.add_option("A", first_, "Experiment file of the first machine (TOML)")
            .required()
            .transform(from_own_experiments());
        command.add_option("B", second_, "Experiment file with the same program and seeds")
            .required()
            .transform(from_own_experiments());
        add_jobs(command, options_.workers);
        command.add_flag("--json", json_, "Print the changes as one JSON object");
        command.add_option("--html", page_, "Also write the result as an HTML page")
            .type_name("FILE");
        add_settings(command, options_.set_options,
                     "Override a key of both files:\n--set run.seeds=[1, 2, 3]");
        add_permissions(command, options_.permissions);
        command.footer(
            "Each machine's results go into a folder as with weir run, without traces.\n"
            "Changes are B relative to A, paired by seed, with 95 % confidence intervals.");
    }

    int execute() override {
        require_page_name(page_, "--html");
        running::RunOptions first = options_;
        running::RunOptions second = options_;
        first.file = first_;
        second.file = second_;
        const records::MachineComparison comparison = running::compare_machines(first, second);
        const records::Document document = pages::comparison_document(comparison);
        if (!page_.empty()) {
            write_page(document, page_);
        }
        if (json_) {
            std::cout << records::json_text(pages::comparison_json(comparison), 1) << "\n";
        } else {
            std::cout << pages::text_page(document);
        }
        return running::kSuccess;
    }

    running::RunOptions options_;
    std::string first_;
    std::string second_;
    std::string page_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace weir::experiments::commands
