#include "experiments/commands/command_syntax.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace weir::experiments::commands {

namespace {

CLI::Validator validator_of(const ValueCheck& check) { return {check.fault_of, check.description}; }

}  // namespace

Option Option::type_name(const std::string& name) const {
    option_->type_name(name);
    return *this;
}

Option Option::required() const {
    option_->required();
    return *this;
}

Option Option::check(const ValueCheck& check) const {
    option_->check(validator_of(check));
    return *this;
}

Option Option::check(const std::function<std::string(const std::string&)>& fault_of) const {
    option_->check(fault_of);
    return *this;
}

Option Option::transform(const ValueCheck& check) const {
    option_->transform(validator_of(check));
    return *this;
}

Option Option::takes_one_value() const {
    option_->allow_extra_args(false);
    return *this;
}

Option Option::delimiter(char separator) const {
    option_->delimiter(separator);
    return *this;
}

Option Option::excludes(Option other) const {
    option_->excludes(other.option_);
    return *this;
}

Option Option::hidden() const {
    option_->group("");
    return *this;
}

bool Option::is_given() const { return option_->count() > 0; }

template <class T>
Option CommandSyntax::add_option(const std::string& names, T& value,
                                 const std::string& sentence) const {
    return Option(command_->add_option(names, value, sentence));
}

#define WEIR_OPTION_OF(T) \
    template Option CommandSyntax::add_option(const std::string&, T&, const std::string&) const
WEIR_OPTION_OF(std::string);
WEIR_OPTION_OF(std::vector<std::string>);
WEIR_OPTION_OF(std::filesystem::path);
WEIR_OPTION_OF(std::vector<std::filesystem::path>);
WEIR_OPTION_OF(int);
WEIR_OPTION_OF(std::optional<int>);
WEIR_OPTION_OF(std::int64_t);
WEIR_OPTION_OF(std::optional<std::int64_t>);
WEIR_OPTION_OF(std::size_t);
WEIR_OPTION_OF(std::uint16_t);
#undef WEIR_OPTION_OF

Option CommandSyntax::add_option_function(const std::string& names,
                                          const std::function<void(const std::string&)>& read,
                                          const std::string& sentence) const {
    const auto read_or_refuse = [read](const std::string& value) {
        try {
            read(value);
        } catch (const InvalidValue& fault) {
            throw CLI::ValidationError(fault.what());
        }
    };
    return Option(command_->add_option_function<std::string>(names, read_or_refuse, sentence));
}

Option CommandSyntax::add_flag(const std::string& names, bool& value,
                               const std::string& sentence) const {
    return Option(command_->add_flag(names, value, sentence));
}

CommandSyntax CommandSyntax::add_subcommand(const std::string& name,
                                            const std::string& sentence) const {
    return CommandSyntax(*command_->add_subcommand(name, sentence));
}

void CommandSyntax::require_subcommand(std::size_t least, std::size_t most) const {
    command_->require_subcommand(least, most);
}

void CommandSyntax::footer(const std::string& text) const { command_->footer(text); }

void CommandSyntax::remove_help() const { command_->set_help_flag(); }

std::string CommandSyntax::help(const std::string& program) const {
    return command_->help(program);
}

bool CommandSyntax::is_named() const { return command_->parsed(); }

const CLI::App* CommandSyntax::parent() const { return command_->get_parent(); }

}  // namespace weir::experiments::commands
