#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "experiments/debug/instrument.h"
#include "experiments/run/channel_use.h"
#include "experiments/run/measured_metrics.h"
#include "experiments/run/memory_transfers.h"
#include "experiments/run/metrics.h"
#include "experiments/run/setup.h"
#include "experiments/run/unloaded_distance.h"
#include "nodes/machine.h"

namespace weir::experiments::run {

/// How far a run has come.
struct Progress {
    double simulated_cycles = 0.0;
    double share_done = 0.0;
};

/// What one run leaves besides the files in its folder.
struct SimulationResult {
    nodes::RunEnd end = nodes::RunEnd::kFinished;
    std::uint64_t seed = 0;
    std::int64_t cycles = 0;
    std::int64_t messages = 0;     ///< sent; 0 where none but packets are
    double wall_seconds = 0.0;     ///< of the host, with data, check and measurement
    double machine_seconds = 0.0;  ///< of these, what the machine's cycles took
    Measured measured;
    Metrics kernel_facts;
    ChannelUses channels;         ///< of open-loop traffic
    MeasuredTransfers transfers;  ///< of "memcpy", "pack" and "unpack"
    UnloadedDistances unloaded;   ///< of traffic.pattern = "one_at_a_time"
    /// Who waits for whom after a deadlock; what is wrong with the answer; empty otherwise.
    std::string explanation;
    bool wrong_answer = false;
};

/// How the trace of a run of that setup is measured, not of open-loop traffic.
MeasurementContext measurement_context(Setup& setup, const Metrics& kernel_facts);

/// Runs one setup with one seed in this process, which must not have run another, and leaves in
/// `folder`: configuration.toml, statistics.json, statistics.csv, trace.sqlite, queues.csv where
/// queues have an end, channels.csv of a network of routers, and of
/// memory transfers transfers.csv, transfers.svg and latency.svg. `report` is told of progress now
/// and then and ends the run by returning false. Throws firmware::InputFault, nodes::MachineFault,
/// nodes::ProgramFault, trace::TraceError, std::logic_error when flits or bytes are not conserved.
/// `instrument`, of a compiled kernel only, may be null.
SimulationResult simulate(Setup& setup, std::uint64_t seed, const std::filesystem::path& folder,
                          const std::function<bool(const Progress&)>& report,
                          debug::Instrument* instrument = nullptr);

}  // namespace weir::experiments::run
