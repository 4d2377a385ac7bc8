#include "experiments/commands/usage_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::commands {

namespace {

struct NamedCommand {
    const CLI::App* command;
    std::string name;  // "trace sqlite"

    [[nodiscard]] std::string help() const {
        return fmt::format("weir {}{}--help", name, name.empty() ? "" : " ");
    }
};

NamedCommand innermost(const CLI::App& program) {
    NamedCommand named{&program, ""};
    while (!named.command->get_subcommands().empty()) {
        named.command = named.command->get_subcommands().back();
        named.name += (named.name.empty() ? "" : " ") + named.command->get_name();
    }
    return named;
}

std::vector<std::string> commands_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* each : command.get_subcommands({})) {
        names.push_back(each->get_name());
    }
    return names;
}

// Those that the help has, by their longest names.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional() && !option->get_group().empty()) {
            names.push_back(option->get_name());
        }
    }
    return names;
}

// "Could not convert: --port = x", of the library.
std::optional<setup::UserFault> conversion_fault(const NamedCommand& named,
                                                 std::string_view message) {
    constexpr std::string_view kBegin = "Could not convert: ";
    constexpr std::string_view kEquals = " = ";
    const std::size_t equals = message.find(kEquals);
    if (!message.starts_with(kBegin) || equals == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string name(message.substr(kBegin.size(), equals - kBegin.size()));
    const std::string value(message.substr(equals + kEquals.size()));
    const CLI::Option* const option = named.command->get_option_no_throw(name);
    return setup::UserFault(
        {fmt::format("{} {} {}", named.name, name, value)}, "no such value",
        fmt::format("{}, as {} says", option == nullptr ? "a value" : option->get_type_name(),
                    named.help()));
}

}  // namespace

setup::UserFault usage_fault(const CLI::App& program, const CLI::ParseError& error) {
    const NamedCommand named = innermost(program);
    const std::vector<std::string> commands = commands_of(*named.command);
    const std::vector<std::string> unexpected = named.command->remaining();
    if (!unexpected.empty()) {
        const std::string& word = unexpected.front();
        if (word.starts_with("-")) {
            return setup::unknown_name({named.name}, "option", word, options_of(*named.command));
        }
        if (!commands.empty()) {
            return setup::unknown_name({named.name}, "command", word, commands);
        }
        return {{named.name},
                fmt::format("\"{}\" was not expected", word),
                fmt::format("what {} says", named.help())};
    }
    if (!commands.empty() && named.command->get_subcommands().empty() &&
        error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
        return {{named.name}, "a command is missing", setup::quoted_list(commands)};
    }
    if (const auto fault = conversion_fault(named, error.what())) {
        return *fault;
    }
    return setup::UserFault(fmt::format("{} (see {})", error.what(), named.help()));
}

void require_values(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string>& given = option->results();
        if (std::find(given.begin(), given.end(), "") != given.end()) {
            throw setup::UserFault(
                {fmt::format("{} \"\"", option->get_name())}, "there is no text",
                option->get_type_name().empty() ? "a value" : option->get_type_name());
        }
    }
    for (const CLI::App* each : command.get_subcommands()) {
        require_values(*each);
    }
}

}  // namespace weir::experiments::commands
