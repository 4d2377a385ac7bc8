#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/command_syntax.h"
#include "experiments/commands/number_option.h"
#include "experiments/setup/files/permissions.h"

namespace weir::experiments::commands {

/// A command of the program, `weir NAME ...`. A command declares its options once; parsing a
/// command line that names the command runs it.
class Command {
  public:
    Command(std::string name, std::string sentence)
        : name_(std::move(name)), sentence_(std::move(sentence)) {}
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    virtual ~Command() = default;

    /// Adds the command to the program. Parsing a command line that names it runs it and stores its
    /// exit status in `status`. Exceptions of execute() leave the parse.
    void add_to(CLI::App& program, int& status);

  protected:
    /// Adds --set, a repeatable option.
    static Option add_settings(CommandSyntax command, std::vector<std::string>& settings,
                               const std::string& sentence);

    /// Adds --allow-library and --allow-folder, which are repeatable.
    static void add_permissions(CommandSyntax command, setup::Permissions& permissions);

    static Option add_jobs(CommandSyntax command, int& workers,
                           const std::string& sentence = "Number of concurrent runs [all cores]");

    /// Declares options and arguments.
    virtual void declare(CommandSyntax command) = 0;
    /// Runs the command with the parsed options and returns the exit status.
    virtual int execute() = 0;

  private:
    std::string name_;
    std::string sentence_;
};

}  // namespace weir::experiments::commands
