#include "experiments/run/instrumented_run.h"

#include <fmt/format.h>

#include "experiments/config/user_fault.h"
#include "experiments/run/run_folder.h"
#include "experiments/run/setup.h"
#include "experiments/run/simulation_job.h"

namespace weir::experiments::run {

InstrumentedRun run_instrumented(const RunOptions& options, debug::Instrument& instrument,
                                 const InstrumentedRunOptions& how) {
    const config::ExperimentFile file =
        config::ExperimentFile::read(options.file, options.presets, options.set_options);
    const config::SelectedRun first(0);
    const std::unique_ptr<Setup> setup = make_setup(file, first);
    require_instructions(file, first, *setup);
    if (how.node && *how.node >= setup->machine.node_count()) {
        throw config::UserFault(fmt::format("--node {}: the machine has nodes 0 to {}", *how.node,
                                            setup->machine.node_count() - 1));
    }
    RunFolder folder(options.folder, options.file.stem().string());
    if (how.begin) {
        how.begin(folder.path());
    }
    InstrumentedRun run;
    run.folder = folder.path();
    const auto seed = static_cast<std::uint64_t>(setup->run.seeds.value().front());
    run.status = simulate_job(
        file, {first, seed, folder.path()}, [](const Progress&) { return true; }, &instrument,
        run.message,
        [&how](Setup& its_own) {
            // A core has one observer.
            static_cast<void>(its_own.trace.profile.set(false));
            static_cast<void>(its_own.trace.instructions.set(false));
            if (how.an_instruction_a_tick) {
                static_cast<void>(its_own.machine.sparcle.run_ahead.set(false));
            }
        });
    if (run.status == kBadInput) {
        throw config::UserFault(run.message);
    }
    folder.keep();
    return run;
}

}  // namespace weir::experiments::run
