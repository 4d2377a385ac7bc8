#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/pages/price_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_machine_price.h"
#include "experiments/records/json_output.h"
#include "experiments/running/prices/machine_price.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/exit_status.h"

namespace weir::experiments::commands {

namespace {

/// `weir price FILE`: price in gates of the machines of an experiment, without a run.
class PriceCommand final : public Command {
  public:
    PriceCommand() : Command("price", "Count the gates of an experiment's machine") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", file_, "Experiment or machine (TOML)")
            .required()
            .transform(from_own_experiments());
        add_settings(command, settings_, "Override a key of the experiment");
        command
            .add_option("--liberty", liberty_,
                        "Liberty file with the cells to use\n[yosys's generic gates]")
            .type_name("FILE");
        command.add_flag("--json", json_, "Print one JSON object, numbers exact");
        command.footer(
            "Synthesizes the parts' twins in SystemVerilog with yosys (Debian package\n"
            "yosys), at the sizes of the experiment. Areas are in NAND2 equivalents: areas\n"
            "of a NAND gate with two inputs. Results are kept; a second call is fast.\n"
            "In [cost], price.KIND is the area of all parts of a kind: \"price.router\".");
    }

    int execute() override {
        const std::vector<records::MachinePrice> prices =
            running::prices_of(file_, running::default_run_options().presets, settings_, liberty_);
        if (json_) {
            std::cout << records::json_text(nlohmann::ordered_json{{"machines", prices}}, 1)
                      << "\n";
            return running::kSuccess;
        }
        for (const records::MachinePrice& price : prices) {
            std::cout << pages::text_page(pages::price_document(price));
        }
        return running::kSuccess;
    }

    std::string file_;
    std::vector<std::string> settings_;
    std::string liberty_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> price_command() { return std::make_unique<PriceCommand>(); }

}  // namespace weir::experiments::commands
