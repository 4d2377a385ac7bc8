#include "experiments/commands/params_command.h"

#include <cstddef>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/parameters/parameter_listing.h"

namespace weir::experiments::commands {

ParamsCommand::ParamsCommand() : Command("params", "List the parameters of experiment files") {}

void ParamsCommand::declare(CLI::App& command) {
    command.add_option("PATTERN", pattern_, "A table, or part of a key; * and ? are wild");
}

int ParamsCommand::execute() {
    const std::vector<std::unique_ptr<kinds::Setup>> setups = kinds::default_setups();
    std::vector<hw::ParameterGroup*> groups;
    std::set<std::string> tables;
    for (const std::unique_ptr<kinds::Setup>& setup : setups) {
        for (hw::ParameterGroup* group : setup->groups()) {
            // Each kernel has a [workload] of its own.
            if (group->table() == "workload" || tables.insert(group->table()).second) {
                groups.push_back(group);
            }
        }
    }
    std::cout << setup::parameter_listing(groups, pattern_);
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
