#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "experiments/commands/all_commands.h"
#include "experiments/kinds/setup.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/text/text_table.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

namespace {

/// `weir kernels`: lists the values that workload.kernel accepts.
class KernelsCommand final : public Command {
  public:
    KernelsCommand() : Command("kernels", "List kernels: the programs that come with Weir") {}

  private:
    void declare(CommandSyntax /*command*/) override {}
    int execute() override {
        std::vector<std::pair<std::string, std::string>> kernels;
        std::size_t width = 0;
        for (const auto& entry : firmware::kernels()) {
            kernels.emplace_back(entry.name, entry.sentence);
            width = std::max(width, entry.name.size());
        }
        for (const kinds::NamedWorkload& other : kinds::workloads_without_kernel()) {
            kernels.emplace_back(other.name, other.sentence);
        }
        std::vector<std::pair<std::string, std::string>> compiled;
        for (const auto& entry : firmware::compiled_kernels()) {
            compiled.emplace_back(entry.name, entry.sentence);
        }
        std::cout << setup::text_list(kernels, 0, width)
                  << "\nCompiled kernels, for core.kind = \"sparcle\":\n"
                  << setup::text_list(compiled, 0, width);
        return running::kSuccess;
    }
};

}  // namespace

std::unique_ptr<Command> kernels_command() { return std::make_unique<KernelsCommand>(); }

}  // namespace weir::experiments::commands
