#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/kinds/kernel/firmware_costs.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "firmware/kernel.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::commands {

namespace {

/// `weir firmware FILE`: measures the cycles of a Sparcle experiment's instructions, and prints
/// them as the tables that give a behavioural core the same costs.
class FirmwareCommand final : public Command {
  public:
    FirmwareCommand()
        : Command("firmware", "Print cycle costs of compiled programs as tables"),
          presets_(running::default_run_options().presets) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")
            .required()
            .transform(from_own_experiments());
        add_settings(command, set_options_, "Override a key: --set workload.argument_words=4");
        command.footer(
            "Runs the file's first point on two or four nodes without caches. Each cost is\n"
            "the sum of instruction cycles between two accesses to the message controller.");
    }

    int execute() override {
        try {
            std::cout << kinds::to_toml(
                kinds::measure_firmware_costs(file_, presets_, set_options_), file_);
        } catch (const firmware::InputFault& fault) {
            throw running::RunFailure(running::kBadInput, fault.what());
        } catch (const nodes::ProgramFault& fault) {
            throw running::RunFailure(running::kWrongAnswer, fault.what());
        }
        return running::kSuccess;
    }

    std::filesystem::path presets_;
    std::string file_;
    std::vector<std::string> set_options_;
};

}  // namespace

std::unique_ptr<Command> firmware_command() { return std::make_unique<FirmwareCommand>(); }

}  // namespace weir::experiments::commands
