#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/reference/program_outline.h"
#include "experiments/running/processes/exit_status.h"

namespace weir::experiments::commands {

namespace {

/// `weir help [COMMAND]`: prints the same text as `weir COMMAND --help`.
class HelpCommand final : public Command {
  public:
    HelpCommand() : Command("help", "Print the help of a command: weir help run") {}

  private:
    void declare(CommandSyntax command) override {
        program_ = command.parent();
        command.add_option("COMMAND", words_, "Command or subcommand: sweep show [all commands]")
            .type_name("");
    }

    int execute() override {
        std::cout << help_of(*program_, words_);
        return running::kSuccess;
    }

    const CLI::App* program_ = nullptr;
    std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> help_command() { return std::make_unique<HelpCommand>(); }

}  // namespace weir::experiments::commands
