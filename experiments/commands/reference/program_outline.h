#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace weir::experiments::commands {

/// An option or an argument, as the program declares it.
struct OutlineOption {
    std::vector<std::string> names;  ///< "--jobs", "-j"; of an argument its name alone: "FILE"
    std::string value;               ///< the name of its value: "KEY=VALUE"; empty for a flag
    std::string sentence;
    bool is_required = false;
    bool is_repeated = false;  ///< of an argument: any number of them
};

/// A command, and those in it.
struct OutlineCommand {
    std::string path;  ///< "weir sweep show"
    std::string sentence;
    std::string footer;
    std::vector<OutlineOption> arguments;
    std::vector<OutlineOption> options;
    std::vector<OutlineCommand> commands;

    /// "show", "sweep", or "weir" itself.
    [[nodiscard]] std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

/// What the program's command line can say, from its own declarations. `path` is the program's
/// name.
[[nodiscard]] OutlineCommand outline_of(const CLI::App& program, const std::string& path);

/// The command and all those in it, in their order.
[[nodiscard]] std::vector<const OutlineCommand*> all_commands(const OutlineCommand& program);

}  // namespace weir::experiments::commands
