#include "experiments/commands/reference/kernels_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "experiments/kinds/setup.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/text/wrapped_text.h"
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
    const auto show = [width](const std::string& name, const std::string& sentence) {
        std::cout << setup::wrapped(sentence, fmt::format("{:<{}}  ", name, width),
                                    std::string(width + 2, ' '));
    };
    for (const auto& entry : firmware::kernels()) {
        show(entry.name, entry.sentence);
    }
    for (const kinds::NamedWorkload& other : kinds::workloads_without_kernel()) {
        show(other.name, other.sentence);
    }
    std::cout << "\nCompiled, for core.kind = \"sparcle\":\n";
    for (const auto& entry : firmware::compiled_kernels()) {
        show(entry.name, entry.sentence);
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
