#include "experiments/commands/reference/manual_command.h"

#include <iostream>

#include "experiments/commands/reference/manual_page.h"
#include "experiments/commands/reference/program_outline.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

ManualCommand::ManualCommand() : Command("man", "Print the manual page: weir man | man -l -") {}

int ManualCommand::execute() {
    std::cout << manual_page(outline_of(*program_, "weir"));
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
