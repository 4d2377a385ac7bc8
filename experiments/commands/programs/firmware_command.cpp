#include "experiments/commands/programs/firmware_command.h"

#include <iostream>

#include "experiments/commands/own_files.h"
#include "experiments/kinds/kernel/firmware_costs.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "firmware/kernel.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::commands {

FirmwareCommand::FirmwareCommand()
    : Command("firmware", "What compiled programs cost, as tables"),
      presets_(running::default_run_options().presets) {}

void FirmwareCommand::declare(CLI::App& command) {
    command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")
        ->required()
        ->transform(from_own_experiments());
    add_settings(command, set_options_, "Override a key: --set workload.argument_words=4");
    command.footer(
        "Runs the file's first point on two or four nodes without caches. It sums the\n"
        "cycles of the instructions between two touches of the controller.");
}

int FirmwareCommand::execute() {
    try {
        std::cout << kinds::to_toml(kinds::measure_firmware_costs(file_, presets_, set_options_),
                                    file_);
    } catch (const firmware::InputFault& fault) {
        throw running::RunFailure(running::kBadInput, fault.what());
    } catch (const nodes::ProgramFault& fault) {
        throw running::RunFailure(running::kWrongAnswer, fault.what());
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
