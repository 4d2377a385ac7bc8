#include "experiments/commands/params_command.h"

#include <cstddef>
#include <iostream>
#include <memory>
#include <vector>

#include "experiments/config/parameter_listing.h"
#include "experiments/run/run_experiment.h"
#include "experiments/run/setup.h"

namespace weir::experiments::commands {

ParamsCommand::ParamsCommand() : Command("params", "List the parameters of experiment files") {}

void ParamsCommand::declare(CLI::App& command) {
    command.add_option("PATTERN", pattern_, "A table, or part of a key; * and ? are wild");
}

int ParamsCommand::execute() {
    const std::vector<std::unique_ptr<run::Setup>> setups = run::default_setups();
    std::vector<hw::ParameterGroup*> groups = setups.front()->groups();
    for (std::size_t i = 1; i < setups.size(); ++i) {
        if (setups[i]->kernel) {
            groups.push_back(&setups[i]->kernel->parameters());
        } else {
            groups.push_back(setups[i]->traffic.get());
        }
    }
    std::cout << config::parameter_listing(groups, pattern_);
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
