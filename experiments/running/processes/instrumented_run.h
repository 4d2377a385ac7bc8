#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/kinds/instrument.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// How a run with an instrument ended, and the folder of its files.
struct InstrumentedRun {
    int status = 0;       ///< exit status
    std::string message;  ///< fault of the run
    std::filesystem::path folder;
};

struct InstrumentedRunOptions {
    /// Node that the machine must have.
    std::optional<int> node = {};
    /// Requires Sparcle cores, and overrides sparcle.run_ahead with false.
    bool an_instruction_a_tick = false;
    /// Overrides network.flit_by_flit with true and sparcle.run_ahead with false, so that between
    /// cycles each part is in the state that its hardware would have.
    bool exact_between_cycles = false;
    /// Called with the run's folder before the run begins.
    std::function<void(const std::filesystem::path&)> begin = {};
    /// Removes the run folder after the run, unless the options name it and the instrument has let
    /// the run reach its end.
    bool keeps_only_named_folder = false;
};

/// Runs the first point of an experiment with its first seed in this process, with an instrument
/// attached. The process must not have run another simulation. The instrument is the only observer
/// of the cores, so trace.profile and trace.instructions have no effect. Keeps the run folder
/// except after bad input. Throws setup::UserFault, also for a run that cannot be observed.
InstrumentedRun run_instrumented(const RunOptions& options, kinds::Instrument& instrument,
                                 const InstrumentedRunOptions& how);

}  // namespace weir::experiments::running
