#include "experiments/commands/usage_fault.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/commands/meant_setting.h"

namespace weir::experiments::commands {

namespace {

struct NamedCommand {
    const CLI::App* command;
    std::string name;  // name of the command: "trace sqlite"

    [[nodiscard]] std::string help() const {
        return fmt::format("weir {}{}--help", name, name.empty() ? "" : " ");
    }
};

// Outermost named command with unparsed words, else the innermost named command.
NamedCommand command_at_fault(const CLI::App& program) {
    NamedCommand named{&program, ""};
    while (!named.command->get_subcommands().empty() && named.command->remaining().empty()) {
        named.command = named.command->get_subcommands().back();
        named.name += (named.name.empty() ? "" : " ") + named.command->get_name();
    }
    return named;
}

// Visible options of the command, by their longest names.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional() && !option->get_group().empty()) {
            names.push_back(option->get_name());
        }
    }
    return names;
}

// Rewrites CLI11's message "Could not convert: --port = x".
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
        {fmt::format("{} {} {}", named.name, name, value)}, "invalid value",
        fmt::format("{} (see {})", option == nullptr ? "a value" : option->get_type_name(),
                    named.help()));
}

// Rewrites CLI11's message "--set: 1 required KEY=VALUE missing".
std::optional<setup::UserFault> missing_value_fault(const NamedCommand& named,
                                                    std::string_view message) {
    constexpr std::string_view kRequired = ": 1 required ";
    const std::size_t end = message.find(kRequired);
    if (end == std::string_view::npos || !message.ends_with(" missing")) {
        return std::nullopt;
    }
    const std::string name(message.substr(0, end));
    const CLI::Option* const option = named.command->get_option_no_throw(name);
    std::string accepted = option == nullptr ? "a value" : option->get_type_name();
    constexpr std::string_view kRange = ":INT in ";
    if (const std::size_t range = accepted.find(kRange); range != std::string::npos) {
        accepted.replace(range, kRange.size(), ", a whole number in ");
    }
    return setup::UserFault({name}, "the value is missing", accepted);
}

// Nearest option to an unknown word. If the command has --set, also the nearest key of experiments:
// "--set run.seeds=VALUE" for "--seed".
std::optional<std::string> meant_option(const CLI::App& command, const std::string& word) {
    if (auto nearest = setup::nearest_name(word, options_of(command))) {
        return nearest;
    }
    const CLI::Option* const set = command.get_option_no_throw("--set");
    if (set == nullptr || set->get_type_name() != "KEY=VALUE" || !word.starts_with("--")) {
        return std::nullopt;
    }
    return meant_setting(word.substr(2, word.find('=') - 2));
}

// Fault of a word near a subcommand's name that was parsed as an argument or left over: "sweep shwo
// DB".
std::optional<setup::UserFault> command_fault(const NamedCommand& named, const std::string& word) {
    const std::vector<std::string> commands = commands_of(*named.command);
    if (commands.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> arguments;
    for (const CLI::Option* option : named.command->get_options()) {
        if (option->get_positional()) {
            arguments.insert(arguments.end(), option->results().begin(), option->results().end());
        }
    }
    for (const std::string& argument : arguments) {
        if (setup::nearest_name(argument, commands)) {
            return setup::unknown_name({named.name}, "command", argument, commands);
        }
    }
    if (!arguments.empty()) {
        return std::nullopt;
    }
    const auto nearest = setup::nearest_name(word, commands);
    return setup::UserFault(
        {named.name}, fmt::format("no command \"{}\"", word), setup::quoted_list(commands),
        nearest ? nearest : setup::nearest_name(word, options_of(*named.command)));
}

// Value of a key without "=": the text behind a separate "=", else the next word. The placeholder
// "VALUE" if the words have no value.
std::string separate_value(std::span<const std::string> behind) {
    const bool has_sign = !behind.empty() && behind.front().starts_with("=");
    if (has_sign && behind.front().size() > 1) {
        return behind.front().substr(1);
    }
    const std::size_t at = has_sign ? 1 : 0;
    const bool is_value =
        at < behind.size() && !behind[at].starts_with("-") && !behind[at].ends_with(".toml");
    return is_value ? behind[at] : "VALUE";
}

// Fault of a KEY=VALUE option at the first word; empty if it has its "=".
std::optional<setup::UserFault> missing_equals_sign(const CLI::App& command,
                                                    std::span<const std::string> words) {
    constexpr std::string_view kForm = "=VALUE";
    const std::size_t joined =
        words.front().starts_with("--") ? words.front().find('=') : std::string::npos;
    const std::string name = words.front().substr(0, joined);
    const CLI::Option* const option =
        name.starts_with("--") ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr || !option->get_type_name().ends_with(kForm)) {
        return std::nullopt;
    }
    const bool is_joined = joined != std::string::npos;
    if (!is_joined && words.size() < 2) {
        return std::nullopt;  // a missing value is reported as for any other option
    }
    const std::string key = is_joined ? words.front().substr(joined + 1) : words[1];
    if (key.empty() || key.starts_with("-") || key.find('=') != std::string::npos) {
        return std::nullopt;
    }
    const std::string value = separate_value(words.subspan(is_joined ? 1 : 2));
    return setup::UserFault({fmt::format("{} {}", name, key)}, R"("=" is missing)",
                            fmt::format("{} {}={}", name, key, value));
}

}  // namespace

std::vector<std::string> commands_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* each : command.get_subcommands({})) {
        names.push_back(each->get_name());
    }
    return names;
}

const CLI::App* find_command(const CLI::App& command, const std::string& name) {
    const std::vector<const CLI::App*> all = command.get_subcommands({});
    const auto found = std::find_if(
        all.begin(), all.end(), [&name](const CLI::App* each) { return each->get_name() == name; });
    return found == all.end() ? nullptr : *found;
}

setup::UserFault usage_fault(const CLI::App& program, const CLI::ParseError& error) {
    const NamedCommand named = command_at_fault(program);
    const std::vector<std::string> commands = commands_of(*named.command);
    const std::vector<std::string> unexpected = named.command->remaining();
    if (!unexpected.empty()) {
        const std::string& word = unexpected.front();
        if (word.starts_with("-")) {
            return {{named.name},
                    fmt::format("no option \"{}\"", word),
                    setup::quoted_list(options_of(*named.command)),
                    meant_option(*named.command, word)};
        }
        if (const auto fault = command_fault(named, word)) {
            return *fault;
        }
        return {{named.name},
                fmt::format("unexpected argument \"{}\"", word),
                fmt::format("arguments as {} shows them", named.help())};
    }
    if (!commands.empty() && named.command->get_subcommands().empty() &&
        error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
        return {{named.name}, "a command is missing", setup::quoted_list(commands)};
    }
    if (const auto fault = conversion_fault(named, error.what())) {
        return *fault;
    }
    if (const auto fault = missing_value_fault(named, error.what())) {
        return *fault;
    }
    const std::string message = error.what();
    const bool says_all = message.find("; accepted: ") != std::string::npos;
    return setup::UserFault(says_all ? message : fmt::format("{} (see {})", message, named.help()));
}

void require_equals_signs(const CLI::App& program, std::span<const std::string> words) {
    const CLI::App* command = &program;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (const CLI::App* inner = find_command(*command, words[i])) {
            command = inner;
            continue;
        }
        if (const auto fault = missing_equals_sign(*command, words.subspan(i))) {
            throw setup::UserFault(*fault);
        }
    }
}

void require_values(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string>& given = option->results();
        if (std::find(given.begin(), given.end(), "") != given.end()) {
            throw setup::UserFault(
                {fmt::format("{} \"\"", option->get_name())}, "the value is empty",
                option->get_type_name().empty() ? "a value" : option->get_type_name());
        }
    }
    for (const CLI::App* each : command.get_subcommands()) {
        require_values(*each);
    }
}

}  // namespace weir::experiments::commands
