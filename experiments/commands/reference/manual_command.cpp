#include <iostream>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/reference/manual_page.h"
#include "experiments/commands/reference/program_outline.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace {

/// `weir man`: the manual page, to read or to install.
class ManualCommand final : public Command {
  public:
    ManualCommand() : Command("man", "Print the manual page: weir man | man -l -") {}

  private:
    void declare(CLI::App& command) override { program_ = command.get_parent(); }
    int execute() override {
        std::cout << manual_page(outline_of(*program_, "weir"));
        return running::kSuccess;
    }

    const CLI::App* program_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> manual_command() { return std::make_unique<ManualCommand>(); }

}  // namespace weir::experiments::commands
