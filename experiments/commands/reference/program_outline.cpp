#include "experiments/commands/reference/program_outline.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "experiments/commands/usage_fault.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

std::string in_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

OutlineOption outline_of(const CLI::Option& option) {
    OutlineOption outline;
    outline.sentence = in_one_line(option.get_description());
    outline.is_required = option.get_required();
    if (option.get_positional() && option.get_lnames().empty()) {
        outline.names = {option.get_name(true)};
        outline.is_repeated = option.get_expected_max() > 1;
        return outline;
    }
    for (const std::string& name : option.get_lnames()) {
        outline.names.push_back("--" + name);
    }
    for (const std::string& name : option.get_snames()) {
        outline.names.push_back("-" + name);
    }
    if (option.get_type_size() != 0) {
        const std::string type = option.get_type_name();
        outline.value = type.substr(0, type.find(':'));  // the range of a validator follows the ':'
    }
    return outline;
}

void collect_commands(const OutlineCommand& command, std::vector<const OutlineCommand*>& all) {
    all.push_back(&command);
    for (const OutlineCommand& inner : command.commands) {
        collect_commands(inner, all);
    }
}

}  // namespace

OutlineCommand outline_of(const CLI::App& program, const std::string& path) {
    OutlineCommand outline;
    outline.path = path;
    outline.sentence = in_one_line(program.get_description());
    outline.footer = program.get_footer();
    for (const CLI::Option* option : program.get_options()) {
        if (option->get_group().empty()) {
            continue;  // hidden options are left out
        }
        OutlineOption described = outline_of(*option);
        const bool is_argument = !described.names.front().starts_with('-');
        (is_argument ? outline.arguments : outline.options).push_back(std::move(described));
    }
    for (const CLI::App* inner : program.get_subcommands(nullptr)) {
        outline.commands.push_back(outline_of(*inner, path + " " + inner->get_name()));
    }
    return outline;
}

std::string help_of(const CLI::App& program, const std::vector<std::string>& words) {
    const CLI::App* named = &program;
    std::string path = program.get_name();
    std::string above;
    for (const std::string& word : words) {
        const CLI::App* inner = find_command(*named, word);
        if (inner == nullptr) {
            throw setup::unknown_name({above.empty() ? "help" : "help" + above}, "command", word,
                                      commands_of(*named));
        }
        if (named != &program) {
            path += " " + named->get_name();
        }
        above += " " + word;
        named = inner;
    }
    // CLI11 would print the help of the parsed subcommand, `help`, in place of the program's.
    return named == &program
               ? named->get_formatter()->make_help(named, path, CLI::AppFormatMode::Normal)
               : named->help(path);
}

std::vector<const OutlineCommand*> all_commands(const OutlineCommand& program) {
    std::vector<const OutlineCommand*> all;
    collect_commands(program, all);
    return all;
}

}  // namespace weir::experiments::commands
