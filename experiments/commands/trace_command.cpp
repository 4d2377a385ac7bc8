#include "experiments/commands/trace_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "experiments/config/user_fault.h"
#include "experiments/run/run_experiment.h"
#include "experiments/trace/trace_digest.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

TraceCommand::TraceCommand() : Command("trace", "Look into the cycle trace of a run") {}

void TraceCommand::declare(CLI::App& command) {
    CLI::App* digest = command.add_subcommand(
        "digest", "Hash of all facts in a trace: the same for the same experiment and seed");
    digest->add_option("RUN", path_, "A trace.sqlite, or a run's folder")->required();
    command.require_subcommand(1);
}

int TraceCommand::execute() {
    const fs::path given(path_);
    if (!fs::is_directory(given)) {
        std::cout << trace::trace_digest(given) << "\n";
        return run::kSuccess;
    }
    std::vector<fs::path> traces;
    for (const auto& entry : fs::recursive_directory_iterator(given)) {
        if (entry.path().filename() == "trace.sqlite") {
            traces.push_back(entry.path());
        }
    }
    if (traces.empty()) {
        throw config::UserFault({path_}, "no trace.sqlite in this folder",
                                "the folder a run has left, or a trace");
    }
    std::sort(traces.begin(), traces.end());
    for (const fs::path& file : traces) {
        std::cout << fmt::format("{}  {}\n", trace::trace_digest(file), file.string());
    }
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
