#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "experiments/config/experiment_file.h"
#include "experiments/debug/instrument.h"
#include "experiments/run/setup.h"
#include "experiments/run/simulation.h"

namespace weir::experiments::run {

/// One simulation of an experiment file: a point or a variant of it, with one seed.
struct SimulationJob {
    config::SelectedRun run;
    std::uint64_t seed;
    std::filesystem::path folder;  ///< is made
};

/// Runs it in this process, which must not have run another, with its result as result.json beside
/// what simulate() leaves. Returns the exit status; `message` says what went wrong. A run that is
/// to be precise is repeated until it is (precise_run.h), unless it is adjusted or looked at.
int simulate_job(const config::ExperimentFile& file, const SimulationJob& job,
                 const std::function<bool(const Progress&)>& report, debug::Instrument* instrument,
                 std::string& message, const std::function<void(Setup&)>& adjust = {});

/// Throws config::UserFault unless the run is one of Sparcle cores.
void require_instructions(const config::ExperimentFile& file, config::SelectedRun run,
                          const Setup& setup);

}  // namespace weir::experiments::run
