#include "experiments/commands/command.h"

#include <CLI/CLI.hpp>

#include "experiments/commands/usage_fault.h"

namespace weir::experiments::commands {

void Command::add_to(CLI::App& program, int& status) {
    CLI::App* command = program.add_subcommand(name_, sentence_);
    declare(CommandSyntax(*command));
    command->callback([this, command, &status] {
        require_values(*command);
        status = execute();
    });
}

Option Command::add_settings(CommandSyntax command, std::vector<std::string>& settings,
                             const std::string& sentence) {
    return command.add_option("--set", settings, sentence).type_name("KEY=VALUE").takes_one_value();
}

Option Command::add_jobs(CommandSyntax command, int& workers, const std::string& sentence) {
    return command.add_option("-j,--jobs", workers, sentence)
        .type_name("N")
        .check(whole_number(1, 4096, true));
}

}  // namespace weir::experiments::commands
