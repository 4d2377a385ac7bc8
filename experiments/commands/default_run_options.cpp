#include "experiments/commands/default_run_options.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "experiments/run/version.h"

namespace weir::experiments::commands {

run::RunOptions default_run_options() {
    run::RunOptions options;
    options.presets = std::filesystem::path(run::kInstalledAt) / "experiments" / "machines";
    options.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return options;
}

}  // namespace weir::experiments::commands
