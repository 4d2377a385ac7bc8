#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/commands/reference/completion_script.h"
#include "experiments/commands/reference/list_command.h"
#include "experiments/commands/reference/program_outline.h"
#include "experiments/commands/usage_fault.h"
#include "experiments/kinds/setup.h"
#include "experiments/models/catalogue/catalogue.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

namespace {

constexpr std::array<std::pair<const char*, Shell>, 3> kShells{
    {{"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}}};

std::vector<std::string> shell_names() {
    std::vector<std::string> names;
    names.reserve(kShells.size());
    for (const auto& [name, ignored] : kShells) {
        names.emplace_back(name);
    }
    return names;
}

/// Names that the parameter accepts, or true and false for a flag; empty for other types.
std::vector<std::string> accepted_words(const hw::ParameterBase& parameter) {
    const hw::AcceptedValues accepted = parameter.accepted_values();
    return accepted.type == hw::AcceptedValues::Type::kFlag
               ? std::vector<std::string>{"true", "false"}
               : accepted.names;
}

void add_if_new(std::vector<std::string>& words, const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
        words.push_back(word);
    }
}

void add_parameters(CompletionWords& words) {
    for (const std::unique_ptr<kinds::Setup>& setup : kinds::default_setups()) {
        for (const hw::ParameterGroup* group : setup->groups()) {
            add_if_new(words.tables, group->table());
            for (const hw::ParameterBase* parameter : group->parameters()) {
                const std::string key = group->table() + "." + parameter->name();
                if (std::find(words.keys.begin(), words.keys.end(), key) != words.keys.end()) {
                    continue;
                }
                words.keys.push_back(key);
                const std::vector<std::string> choices = accepted_words(*parameter);
                if (!choices.empty()) {
                    words.choices.emplace_back(key, choices);
                }
            }
        }
    }
    std::vector<std::string> kernels;
    for (const auto& kernel : firmware::kernels()) {
        add_if_new(kernels, kernel.name);
    }
    for (const auto& kernel : firmware::compiled_kernels()) {
        add_if_new(kernels, kernel.name);
    }
    for (const kinds::NamedWorkload& other : kinds::workloads_without_kernel()) {
        add_if_new(kernels, other.name);
    }
    words.keys.emplace_back("workload.kernel");
    words.choices.emplace_back("workload.kernel", std::move(kernels));
}

CompletionWords completion_words() {
    CompletionWords words;
    add_parameters(words);
    for (const InstalledFile& file : installed_files(running::data_folder())) {
        if (file.kind != InstalledFile::Kind::kMachine) {
            words.files.push_back(file.name);
        }
    }
    for (const auto& model : models::all_models()) {
        words.models.push_back(model->name());
    }
    words.kinds = listed_kinds();
    words.shells = shell_names();
    return words;
}

/// `weir completion SHELL`: prints a script with which the shell completes command lines.
class CompletionCommand final : public Command {
  public:
    CompletionCommand() : Command("completion", "Print a shell's command-line completion script") {}

  private:
    void declare(CommandSyntax command) override {
        program_ = command.parent();
        command.add_option("SHELL", shell_, "bash, zsh or fish").required();
        command.footer(
            "To enable completion in the running shell:\n"
            "  bash  source <(weir completion bash)\n"
            "  zsh   source <(weir completion zsh), after compinit\n"
            "  fish  weir completion fish | source\n"
            "cmake --install puts the scripts where the shells find them.");
    }

    int execute() override {
        for (const auto& [name, shell] : kShells) {
            if (shell_ == name) {
                CompletionWords words = completion_words();
                words.commands = commands_of(*program_);
                std::cout << completion_script(shell, outline_of(*program_, "weir"), words);
                return running::kSuccess;
            }
        }
        throw setup::unknown_name({"weir completion"}, "shell", shell_, shell_names());
    }

    const CLI::App* program_ = nullptr;
    std::string shell_;
};

}  // namespace

std::unique_ptr<Command> completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace weir::experiments::commands
