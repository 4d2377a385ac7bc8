#include "experiments/running/processes/instrumented_run.h"

#include <fmt/format.h>

#include "experiments/kinds/setup.h"
#include "experiments/running/processes/run_folder.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

void require_stops(const setup::ExperimentFile& file, setup::SelectedRun run,
                   const kinds::Setup& setup) {
    if (!setup.kind->stops_between_cycles()) {
        throw file.fault_at("workload.kernel", run,
                            "this experiment runs no machine that can be stopped between cycles",
                            "an experiment that runs a kernel, a program or a replay on a machine");
    }
}

}  // namespace

InstrumentedRun run_instrumented(const RunOptions& options, kinds::Instrument& instrument,
                                 const InstrumentedRunOptions& how) {
    setup::ExperimentFile file =
        setup::ExperimentFile::read(options.file, options.presets, options.set_options);
    file.permit(options.permissions);
    const setup::SelectedRun first(0);
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, first);
    require_permitted(setup->kind->wants(file, first));
    if (how.an_instruction_a_tick) {
        require_instructions(file, first, *setup);
    }
    require_stops(file, first, *setup);
    if (how.node && *how.node >= setup->machine.node_count()) {
        throw setup::UserFault(fmt::format("--node {}: the machine has nodes 0 to {}", *how.node,
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
        file, {first, seed, folder.path()}, [](const records::Progress&) { return true; },
        &instrument, run.message,
        [&how](kinds::Setup& its_own) {
            // A core can have only one observer.
            static_cast<void>(its_own.trace.profile.set(false));
            static_cast<void>(its_own.trace.instructions.set(false));
            if (how.exact_between_cycles) {
                static_cast<void>(its_own.machine.network.flit_by_flit.set(true));
            }
            if (how.an_instruction_a_tick || how.exact_between_cycles) {
                static_cast<void>(its_own.machine.sparcle.run_ahead.set(false));
            }
        });
    if (run.status == kBadInput) {
        throw setup::UserFault(run.message);
    }
    const bool is_wanted = options.folder && run.status != kInterrupted;
    if (is_wanted || !how.keeps_only_named_folder) {
        folder.keep();
    }
    if (run.status == kRefused) {
        throw RunFailure(kBadInput, run.message);
    }
    return run;
}

}  // namespace weir::experiments::running
