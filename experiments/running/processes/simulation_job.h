#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "experiments/kinds/instrument.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::kinds {
struct Setup;
}

namespace weir::experiments::running {

/// One simulation of an experiment file: a point or a variant of it, with one seed.
struct SimulationJob {
    setup::SelectedRun run;
    std::uint64_t seed;
    std::filesystem::path folder;  ///< folder for the run's files, to be created
    int cores = 1;                 ///< number of host cores that the run may use
    /// The end at run.most_cycles is a success.
    bool stops_at_limit = false;
};

/// Runs the job in this process, which must not have run another simulation. Writes result.json
/// beside the files of simulate(). Returns the exit status; `message` is the fault. A run with a
/// requested precision is repeated until it is reached (precise_run.h), unless `instrument` or
/// `adjust` is given.
int simulate_job(const setup::ExperimentFile& file, const SimulationJob& job,
                 const std::function<bool(const records::Progress&)>& report,
                 kinds::Instrument* instrument, std::string& message,
                 const std::function<void(kinds::Setup&)>& adjust = {});

/// Throws setup::UserFault unless the run has Sparcle cores.
void require_instructions(const setup::ExperimentFile& file, setup::SelectedRun run,
                          const kinds::Setup& setup);

}  // namespace weir::experiments::running
