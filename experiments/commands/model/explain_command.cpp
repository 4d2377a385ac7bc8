#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/explanation_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/explained_run.h"

namespace weir::experiments::commands {

namespace {

/// `weir explain RUN`: errors of models' predictions for a run, split by assumption.
class ExplainCommand final : public Command {
  public:
    ExplainCommand()
        : Command("explain", "Split the errors of models by assumption"),
          options_(running::default_run_options()) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("RUN", run_, "Folder of a weir run").required();
        command
            .add_option("--model", models_,
                        "Prediction to explain: a model, or a model with\n"
                        "_given for the file's inputs; repeatable\n"
                        "[all compared ones]")
            .type_name("NAME")
            .takes_one_value();
        command
            .add_option("--point", options_.points,
                        "Only the point of this label [all]; repeatable")
            .type_name("LABEL")
            .takes_one_value();
        add_jobs(command, options_.workers);
        command.add_flag("--json", json_, "Print the parts as one JSON object");
        command.add_option("--html", page_, "Also write the parts as an HTML page")
            .type_name("FILE");
        add_permissions(command, options_.permissions);
        command.footer(
            "Runs the same program on machines with ideal queues, network or memory. They\n"
            "stay in the folder RUN/explained, so a second call runs nothing.");
    }

    int execute() override {
        require_page_name(page_, "--html");
        const records::ExplainedRun explained = running::explain_run(run_, models_, options_);
        const records::Document document = pages::explanation_document(explained);
        if (!page_.empty()) {
            write_page(document, page_);
        }
        std::cout << (json_ ? records::json_text(pages::explanation_json(explained), 1) + "\n"
                            : pages::text_page(document));
        return running::kSuccess;
    }

    running::RunOptions options_;
    std::string run_;
    std::vector<std::string> models_;
    std::string page_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace weir::experiments::commands
