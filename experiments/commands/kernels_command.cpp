#include "experiments/commands/kernels_command.h"

#include <fmt/format.h>

#include <iostream>

#include "experiments/run/run_experiment.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

KernelsCommand::KernelsCommand()
    : Command("kernels", "List the kernels that workload.kernel can name") {}

int KernelsCommand::execute() {
    for (const auto& entry : firmware::kernels()) {
        std::cout << fmt::format("{:<8} {}\n", entry.name, entry.sentence);
    }
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
