#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/pages/machine_prediction_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/sweeps/scaling/predict_machine.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

/// `weir predict FILE --nodes N`: predicts a larger machine from runs on small ones.
class PredictCommand final : public Command {
  public:
    PredictCommand() : Command("predict", "Predict a larger machine from small ones") {
        const running::RunOptions defaults = running::default_run_options();
        options_.sweep.presets = defaults.presets;
        options_.sweep.workers = defaults.workers;
    }

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", file_, "Experiment file with one machine and kernel (TOML)")
            .required()
            .transform(from_own_experiments());
        command
            .add_option("--nodes", options_.nodes,
                        "Nodes of the larger machine; its two extents are\n"
                        "those nearest to a square. 32x32: extents")
            .type_name("N")
            .required();
        per_node_ = command.add_flag("--per-node-size", keeps_size_of_node_,
                                     "Keep the size of each node's part of the problem");
        command.add_flag("--total-size", keeps_total_size_, "Keep the size of the whole problem")
            .excludes(per_node_);
        command
            .add_option("--small", options_.small,
                        "Small machines to run, as --nodes: 8,4x3,16,32\n"
                        "[parts of the larger: from N/128 to N/4 nodes]")
            .type_name("N")
            .delimiter(',');
        command.add_flag("--check", options_.check,
                         "Also run the larger machine, with the first seed");
        command.add_option("--metric", options_.metric, "Metric [the kernel's main metric]")
            .type_name("NAME");
        add_jobs(command, options_.sweep.workers);
        command.add_option("--out", database_, "Database of the runs [runs/NAME.predict-*.db]")
            .type_name("DB");
        command.add_flag("--dry-run", is_dry_run_, "List the missing runs without running them");
        command.add_flag("--json", json_, "Print the prediction as one JSON object");
        command.add_option("--html", page_, "Also write the prediction as an HTML page")
            .type_name("FILE");
        add_settings(command, options_.sweep.set_options,
                     "Override a key: --set network.hop_cycles=2");
        add_permissions(command, options_.sweep.permissions);
        command.footer(
            "Runs stay in the database, and are not repeated. A file with fewer than three\n"
            "seeds gets more.\n"
            "Exit status: 0, or 1 if --check finds the machine outside the interval.");
    }

    int execute() override {
        require_page_name(page_, "--html");
        options_.sweep.file = file_;
        if (!database_.empty()) {
            options_.sweep.database = database_;
        }
        options_.constant = keeps_size_of_node_ ? running::ConstantSize::kOfNode
                            : keeps_total_size_ ? running::ConstantSize::kTotal
                                                : running::ConstantSize::kAsWritten;
        return is_dry_run_ ? list_runs() : predict();
    }

    [[nodiscard]] int list_runs() const {
        const running::PredictionPlan plan = running::make_prediction_plan(options_);
        std::cout << running::plan_page(plan.sweep, running::requests_of(plan, options_));
        return running::kSuccess;
    }

    [[nodiscard]] int predict() const {
        const records::MachinePrediction prediction = running::predict_machine(options_);
        const records::Document document = pages::machine_prediction_document(prediction);
        if (!page_.empty()) {
            write_page(document, page_);
        }
        std::cout << (json_
                          ? records::json_text(pages::machine_prediction_json(prediction), 1) + "\n"
                          : pages::text_page(document));
        return prediction.check && !prediction.check->is_in_bar ? running::kToleranceMissed
                                                                : running::kSuccess;
    }

    running::PredictionOptions options_;
    std::string file_;
    std::string database_;
    std::string page_;
    Option per_node_;
    bool keeps_size_of_node_ = false;
    bool keeps_total_size_ = false;
    bool is_dry_run_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace weir::experiments::commands
