#include "experiments/commands/kernels_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "experiments/run/run_experiment.h"
#include "experiments/run/setup.h"
#include "firmware/kernels/compiled_registry.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

KernelsCommand::KernelsCommand()
    : Command("kernels", "List the kernels that workload.kernel can name") {}

int KernelsCommand::execute() {
    std::size_t width = 0;
    for (const auto& entry : firmware::kernels()) {
        width = std::max(width, entry.name.size());
    }
    for (const auto& entry : firmware::kernels()) {
        std::cout << fmt::format("{:<{}}  {}\n", entry.name, width, entry.sentence);
    }
    std::cout << fmt::format("{:<{}}  {}\n", run::kOpenLoop, width,
                             "no kernel: packets offered to the network alone, as [traffic] says");
    std::cout << "\nCompiled, for core.kind = \"sparcle\":\n";
    for (const auto& entry : firmware::compiled_kernels()) {
        std::cout << fmt::format("{:<{}}  {}\n", entry.name, width, entry.sentence);
    }
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
