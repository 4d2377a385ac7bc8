#include "experiments/commands/default_run_options.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/processes/data_folder.h"

namespace weir::experiments::commands {

running::RunOptions default_run_options() {
    running::RunOptions options;
    options.presets = running::data_folder() / "experiments" / "machines";
    // mpirun starts as many processes as there are cores.
    options.workers = running::MpiRanks::started() > 1
                          ? 1
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
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
