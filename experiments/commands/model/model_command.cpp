#include <algorithm>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/model_questions/model_sweep.h"
#include "experiments/commands/all_commands.h"
#include "experiments/commands/report/report_files.h"
#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"
#include "experiments/pages/models/model_document.h"
#include "experiments/pages/models/model_page.h"
#include "experiments/pages/models/model_plot.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

using setup::UserFault;

constexpr const char* kSyntax =
    R"(VALUEs are TOML: 200, 0.5, true, [1, 2], [[0, 1], [1, 0]]. Words need no quotes;
a list of one number needs no brackets.
A FILE has one line for each input, such as handler_cycles = 200. The lines may
stand in a table [inputs]. --set overrides them. An input that is not given has
its default value.

A SWEEP solves the model at each value of an input:
  work_cycles=0:4000:100     from 0 to 4000 in steps of 100, both ends included
  work_cycles=1:1000:x10     from 1 to 1000, each 10 times the value before
  work_cycles=0,50,100       these values
An input that is a list gets a list of the swept number alone.
Several sweeps give all combinations of their values; the last varies fastest.
A plot has the first sweep on its x axis, and a line for each combination of the
others. Each kind of quantity has a panel: cycles, shares, servers. A y axis is
logarithmic where the largest value is a hundred times the smallest or more.
In CSV, the last column, error, says why a point has no solution.

TABLES, such as a schedule, are printed up to 40 rows each; --json has all rows.
--show TABLE --csv prints a table alone, with all rows. With --show, only the
tables that it names are printed. A sweep prints outputs, and no tables.

Exit status: 0 the model, or a point of the sweep, has a solution; 2 bad input
or no solution.)";

pages::YAxis y_axis_named(const std::string& name) {
    if (name == "linear") {
        return pages::YAxis::kLinear;
    }
    if (name == "logarithmic") {
        return pages::YAxis::kLogarithmic;
    }
    throw InvalidValue("\"" + name + "\"; accepted: linear, logarithmic");
}

/// `weir model [NAME]`: evaluates an analytic model, without running a machine.
class ModelCommand final : public Command {
  public:
    ModelCommand() : Command("model", "Evaluate an analytic model, or list all models") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("NAME", name_, "Model to evaluate [list all models]");
        command
            .add_option("--set", set_options_, "Set an input, repeatable: --set handler_cycles=200")
            .type_name("NAME=VALUE")
            .takes_one_value();
        command.add_option("--from", file_, "Read inputs from a file (TOML)").type_name("FILE");
        command.add_option("--sweep", sweep_options_, "Vary an input, see below; repeatable")
            .type_name("SWEEP")
            .takes_one_value();
        command.add_option("--show", shown_, "Print only these outputs and tables")
            .type_name("A,B")
            .delimiter(',')
            .takes_one_value();
        command.add_option("--plot", plot_file_, "Draw the sweep: .svg, .png or .pdf")
            .type_name("FILE");
        command
            .add_option_function(
                "--y-axis", [this](const std::string& name) { y_axis_ = y_axis_named(name); },
                "Axes of the plot: linear, or logarithmic")
            .type_name("KIND");
        Option json = command.add_flag("--json", json_, "Print one JSON object, with all digits");
        command
            .add_flag("--csv", csv_,
                      "Print CSV, with all digits: a line for each point,\n"
                      "or for each row of a table")
            .excludes(json);
        // Replaces CLI11's --help: with a model's name, the help lists the model's inputs and
        // outputs.
        command.remove_help();
        command.footer(kSyntax);
        command.add_flag("-h,--help", help_, "Print the model's inputs and outputs and exit");
        options_text_ = [command] { return command.help("weir"); };
    }

    int execute() override {
        const models::Models models = models::all_models();
        if (help_ && name_.empty()) {
            help(models);
            return running::kSuccess;
        }
        if (!name_.empty()) {
            models::Model& model = analyses::find_model(models, name_);
            if (help_) {
                std::cout << pages::model_reference(model)
                          << "\nweir model --help describes how to set inputs, sweep and plot.\n";
                return running::kSuccess;
            }
            return ask(model);
        }
        const bool asks = !set_options_.empty() || !file_.empty() || !sweep_options_.empty() ||
                          !shown_.empty() || !plot_file_.empty() || csv_;
        if (asks) {
            throw UserFault(setup::Place{}, "no model is named",
                            "weir model NAME --set NAME=VALUE");
        }
        list(models);
        return running::kSuccess;
    }

    void list(const models::Models& models) const {
        std::cout << (json_ ? pages::catalogue_document(models).dump(1) + "\n"
                            : pages::model_listing(models));
    }

    void help(const models::Models& models) const {
        std::cout << options_text_()
                  << "\nThe models, with the papers' symbols, units and equations\n";
        for (const auto& model : models) {
            std::cout << std::string(setup::kPageColumns, '-') << "\n"
                      << pages::model_reference(*model);
        }
    }

    [[nodiscard]] int ask(models::Model& model) const {
        analyses::ModelInputs inputs(model);
        if (!file_.empty()) {
            inputs.read_file(file_);
        }
        for (const std::string& option : set_options_) {
            inputs.set(option);
        }
        if (sweep_options_.empty() && plot_file_.empty()) {
            solve(model, inputs);
            return running::kSuccess;
        }
        return sweep(model, inputs);
    }

    void solve(models::Model& model, const analyses::ModelInputs& inputs) const {
        const analyses::ShownParts shown =
            csv_ ? analyses::shown_in_csv(model, shown_) : analyses::shown_parts(model, shown_);
        inputs.require_all();
        try {
            model.solve();
        } catch (const models::ModelError& error) {
            throw UserFault({model.name()}, error.fault());
        }
        if (json_) {
            std::cout << pages::solution_document(model, shown).dump(1) << "\n";
        } else {
            std::cout << (csv_ ? pages::solution_csv(shown)
                               : pages::solution_page(model, inputs, shown));
        }
    }

    [[nodiscard]] int sweep(models::Model& model, const analyses::ModelInputs& inputs) const {
        const std::vector<const models::Output*> outputs = analyses::shown_in_sweep(model, shown_);
        std::vector<analyses::SweepAxis> axes;
        std::vector<const models::Input*> swept;
        for (const std::string& option : sweep_options_) {
            axes.push_back(analyses::parse_sweep_option(option, inputs));
            if (std::find(swept.begin(), swept.end(), axes.back().input) != swept.end()) {
                throw UserFault({"--sweep " + option},
                                axes.back().input->title() + " is swept twice",
                                "one --sweep for each input");
            }
            swept.push_back(axes.back().input);
        }
        inputs.require_all(swept);
        std::optional<pages::ModelPlot> plot;
        if (!plot_file_.empty()) {
            plot.emplace(plot_file_, axes, outputs, !shown_.empty(), y_axis_);
        }
        const analyses::ModelSweep solved = analyses::solve_sweep(model, std::move(axes), outputs);
        if (solved.has_solution() && plot) {
            write_picture(plot->drawing(solved, inputs), plot->format(), plot_file_,
                          "--plot " + plot_file_);
        }
        if (json_) {
            std::cout << pages::model_sweep_document(solved).dump(1) << "\n";
        } else if (csv_) {
            std::cout << pages::model_sweep_csv(solved);
        } else {
            std::cout << pages::model_sweep_page(solved, inputs);
            if (solved.has_solution() && plot) {
                std::cout << "\n" << setup::wrapped(plot->summary(), "", "  ");
            }
        }
        if (!solved.has_solution()) {
            throw UserFault({model.name()}, "no point of the sweep has a solution");
        }
        return running::kSuccess;
    }

    std::function<std::string()> options_text_;
    std::string name_;
    std::string file_;
    std::vector<std::string> set_options_;
    std::vector<std::string> sweep_options_;
    std::vector<std::string> shown_;
    std::string plot_file_;
    pages::YAxis y_axis_ = pages::YAxis::kChosen;
    bool json_ = false;
    bool csv_ = false;
    bool help_ = false;
};

}  // namespace

std::unique_ptr<Command> model_command() { return std::make_unique<ModelCommand>(); }

}  // namespace weir::experiments::commands
