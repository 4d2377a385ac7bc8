#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/reference/program_outline.h"

namespace weir::experiments::commands {

enum class Shell { kBash, kZsh, kFish };

/// What values can be completed to.
struct CompletionWords {
    std::vector<std::string> keys;  ///< "network.hop_cycles", of --set
    /// The values of keys that take one of a few.
    std::vector<std::pair<std::string, std::vector<std::string>>> choices;
    std::vector<std::string> tables;  ///< of `weir params`
    std::vector<std::string> files;   ///< experiments that come with the program
    std::vector<std::string> models;
    std::vector<std::string> kinds;     ///< of `weir list`
    std::vector<std::string> shells;    ///< of `weir completion`
    std::vector<std::string> commands;  ///< of `weir help`
};

/// A script that the shell reads to complete the program's command line: its commands, options and
/// arguments, and the values of those.
[[nodiscard]] std::string completion_script(Shell shell, const OutlineCommand& program,
                                            const CompletionWords& words);

}  // namespace weir::experiments::commands
