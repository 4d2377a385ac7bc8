#include "experiments/running/processes/default_run_options.h"

#include <algorithm>
#include <thread>

#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/processes/data_folder.h"

namespace weir::experiments::running {

RunOptions default_run_options() {
    RunOptions options;
    options.presets = data_folder() / "experiments" / "machines";
    // mpirun starts as many processes as there are cores.
    options.workers = MpiRanks::started() > 1
                          ? 1
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return options;
}

}  // namespace weir::experiments::running
