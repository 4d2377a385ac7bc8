#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

/// `weir help [COMMAND]`: prints the same text as `weir COMMAND --help`.
class HelpCommand final : public Command {
  public:
    HelpCommand() : Command("help", "Print the help of a command: weir help run") {}

  private:
    void declare(CLI::App& command) override {
        program_ = command.get_parent();
        command.add_option("COMMAND", words_, "Command or subcommand: sweep show [all commands]")
            ->type_name("");
    }

    int execute() override {
        const CLI::App* named = program_;
        std::string path = program_->get_name();
        std::string above;
        for (const std::string& word : words_) {
            const CLI::App* inner = find_command(*named, word);
            if (inner == nullptr) {
                throw setup::unknown_name({above.empty() ? "help" : "help" + above}, "command",
                                          word, commands_of(*named));
            }
            if (named != program_) {
                path += " " + named->get_name();
            }
            above += " " + word;
            named = inner;
        }
        // CLI11 would print the help of the parsed subcommand, `help`, in place of the program's.
        std::cout << (named == program_ ? named->get_formatter()->make_help(
                                              named, path, CLI::AppFormatMode::Normal)
                                        : named->help(path));
        return running::kSuccess;
    }

    const CLI::App* program_ = nullptr;
    std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> help_command() { return std::make_unique<HelpCommand>(); }

}  // namespace weir::experiments::commands
