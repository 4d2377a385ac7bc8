#include "experiments/commands/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

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

void Command::add_permissions(CommandSyntax command, setup::Permissions& permissions) {
    const auto is_there = [](bool is_right, const char* what, const std::string& name) {
        return is_right ? std::string() : fmt::format("there is no {} {}", what, name);
    };
    command
        .add_option(setup::kAllowLibrary, permissions.libraries,
                    "Run the code of this library (workload.library)\n"
                    "that another user has made; repeatable")
        .type_name("FILE")
        .takes_one_value()
        .check([is_there](const std::string& name) {
            std::error_code unknown;
            return is_there(std::filesystem::is_regular_file(name, unknown), "file", name);
        });
    command
        .add_option(setup::kAllowFolder, permissions.folders,
                    "Let programs read files in this folder, beyond the\n"
                    "experiment's own; repeatable")
        .type_name("FOLDER")
        .takes_one_value()
        .check([is_there](const std::string& name) {
            std::error_code unknown;
            return is_there(std::filesystem::exists(name, unknown), "folder", name);
        });
}

Option Command::add_jobs(CommandSyntax command, int& workers, const std::string& sentence) {
    return command.add_option("-j,--jobs", workers, sentence)
        .type_name("N")
        .check(whole_number(1, 4096, true));
}

}  // namespace weir::experiments::commands
