#include "experiments/commands/default_run_options.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "experiments/running/processes/data_folder.h"

namespace weir::experiments::commands {

running::RunOptions default_run_options() {
    running::RunOptions options;
    options.presets = running::data_folder() / "experiments" / "machines";
    options.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return options;
}

CLI::Validator from_own_experiments() {
    return {[](std::string& file) {
                file = running::experiment_named(file).string();
                return std::string();
            },
            ""};
}

}  // namespace weir::experiments::commands
