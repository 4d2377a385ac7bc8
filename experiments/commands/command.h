#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/number_option.h"
#include "experiments/commands/usage_fault.h"

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
    void add_to(CLI::App& program, int& status) {
        CLI::App* command = program.add_subcommand(name_, sentence_);
        declare(*command);
        command->callback([this, command, &status] {
            require_values(*command);
            status = execute();
        });
    }

  protected:
    /// Adds --set, a repeatable option.
    static CLI::Option* add_settings(CLI::App& command, std::vector<std::string>& settings,
                                     const std::string& sentence) {
        return command.add_option("--set", settings, sentence)
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    }

    static CLI::Option* add_jobs(
        CLI::App& command, int& workers,
        const std::string& sentence = "Number of concurrent runs [all cores]") {
        return command.add_option("-j,--jobs", workers, sentence)
            ->type_name("N")
            ->check(whole_number(1, 4096, true));
    }

    /// Declares options and arguments.
    virtual void declare(CLI::App& command) = 0;
    /// Runs the command with the parsed options and returns the exit status.
    virtual int execute() = 0;

  private:
    std::string name_;
    std::string sentence_;
};

}  // namespace weir::experiments::commands
