#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "experiments/kinds/instrument.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::running {

/// One simulation of an experiment file: a point or a variant of it, with one seed.
struct SimulationJob {
    setup::SelectedRun run;
    std::uint64_t seed;
    std::filesystem::path folder;  ///< is made
    int cores = 1;                 ///< of the host, which the run may have for itself
};

/// Runs it in this process, which must not have run another, with its result as result.json beside
/// what simulate() leaves. Returns the exit status; `message` says what went wrong. A run that is
/// to be precise is repeated until it is (precise_run.h), unless it is adjusted or looked at.
int simulate_job(const setup::ExperimentFile& file, const SimulationJob& job,
                 const std::function<bool(const records::Progress&)>& report,
                 kinds::Instrument* instrument, std::string& message,
                 const std::function<void(kinds::Setup&)>& adjust = {});

/// Throws setup::UserFault unless the run is one of Sparcle cores.
void require_instructions(const setup::ExperimentFile& file, setup::SelectedRun run,
                          const kinds::Setup& setup);

}  // namespace weir::experiments::running
