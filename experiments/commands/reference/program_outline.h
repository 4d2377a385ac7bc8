#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace weir::experiments::commands {

/// An option or a positional argument as declared to CLI11.
struct OutlineOption {
    std::vector<std::string> names;  ///< "--jobs", "-j"; a positional argument has one name: "FILE"
    std::string value;               ///< name of the value, "KEY=VALUE"; empty for a flag
    std::string sentence;
    bool is_required = false;
    bool is_repeated = false;  ///< true if a positional argument takes several values
};

/// A command with its subcommands.
struct OutlineCommand {
    std::string path;  ///< "weir sweep show"
    std::string sentence;
    std::string footer;
    std::vector<OutlineOption> arguments;
    std::vector<OutlineOption> options;
    std::vector<OutlineCommand> commands;

    /// Last word of the path: "show", "sweep" or "weir".
    [[nodiscard]] std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

/// Outline of all commands, options and arguments, read from the program's declarations. `path` is
/// the program's name.
[[nodiscard]] OutlineCommand outline_of(const CLI::App& program, const std::string& path);

/// Text of --help of the program's command that the words name, such as "sweep", "show"; without
/// words that of the program. Throws setup::UserFault if there is no such command.
[[nodiscard]] std::string help_of(const CLI::App& program, const std::vector<std::string>& words);

/// The command and all its subcommands, depth first.
[[nodiscard]] std::vector<const OutlineCommand*> all_commands(const OutlineCommand& program);

}  // namespace weir::experiments::commands
