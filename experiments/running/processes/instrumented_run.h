#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/kinds/instrument.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::running {

/// How a run with an instrument ended, and where its files are.
struct InstrumentedRun {
    int status = 0;       ///< the exit status
    std::string message;  ///< what went wrong
    std::filesystem::path folder;
};

struct InstrumentedRunOptions {
    /// A node that there has to be.
    std::optional<int> node;
    /// sparcle.run_ahead = false, whatever the experiment says.
    bool an_instruction_a_tick = false;
    /// Told of the run's folder before it begins.
    std::function<void(const std::filesystem::path&)> begin = {};
};

/// Runs the first point of an experiment with its first seed in this process, which must not have
/// run another, with an instrument attached, which has the cores for itself: trace.profile and
/// trace.instructions have no effect. The run folder is kept but after bad input. Throws
/// setup::UserFault, also unless its cores are Sparcle.
InstrumentedRun run_instrumented(const RunOptions& options, kinds::Instrument& instrument,
                                 const InstrumentedRunOptions& how);

}  // namespace weir::experiments::running
