#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/reference/program_outline.h"

namespace weir::experiments::commands {

enum class Shell { kBash, kZsh, kFish };

/// Words that complete arguments and values of options.
struct CompletionWords {
    std::vector<std::string> keys;  ///< values of --set, such as "network.hop_cycles"
    /// Keys with a fixed choice of values, and these values.
    std::vector<std::pair<std::string, std::vector<std::string>>> choices;
    std::vector<std::string> tables;  ///< tables of parameters, for `weir params`
    std::vector<std::string> files;   ///< installed experiment files
    std::vector<std::string> models;
    std::vector<std::string> kinds;     ///< kinds of lists, for `weir list`
    std::vector<std::string> shells;    ///< names of shells, for `weir completion`
    std::vector<std::string> commands;  ///< names of commands, for `weir help`
};

/// Script for the shell that completes the program's commands, options, arguments and their values.
[[nodiscard]] std::string completion_script(Shell shell, const OutlineCommand& program,
                                            const CompletionWords& words);

}  // namespace weir::experiments::commands
