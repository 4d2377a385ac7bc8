#include "experiments/commands/default_run_options.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "experiments/run/data_folder.h"

namespace weir::experiments::commands {

run::RunOptions default_run_options() {
    run::RunOptions options;
    options.presets = run::data_folder() / "experiments" / "machines";
    options.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return options;
}

CLI::Validator from_own_experiments() {
    return {[](std::string& file) {
                file = run::experiment_named(file).string();
                return std::string();
            },
            ""};
}

}  // namespace weir::experiments::commands
