#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "experiments/analyses/json_message_pattern.h"
#include "experiments/analyses/measure.h"
#include "experiments/analyses/whole_of_parts.h"
#include "experiments/kinds/host_seconds.h"
#include "experiments/kinds/kernel/back_trace.h"
#include "experiments/kinds/kernel/compiled_run.h"
#include "experiments/kinds/kernel/execution_profile.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/kernel/library_call.h"
#include "experiments/kinds/kernel/machine_state.h"
#include "experiments/kinds/kernel/network_use.h"
#include "experiments/kinds/run_files.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/version.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/log/trace_store.h"
#include "experiments/trace/rows/trace_error.h"
#include "nodes/machine.h"

/// Execution of a kernel on a machine, and measurement of its trace.
namespace weir::experiments::kinds {

namespace {

// Text with the current instruction of each Sparcle node's program that has not ended.
std::string where_programs_are(nodes::Machine& machine) {
    std::string text;
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        const auto* core =
            dynamic_cast<const nodes::sparcle::SparcleCore*>(&machine.node(hw::NodeId(i)).core);
        if (core != nullptr && !core->thread_done()) {
            text += fmt::format("\n  node {} {}", i, core->place_of(core->unit().pc()));
        }
    }
    return text;
}

// For what a program's MPI ranks or threads wait: a summary, and a line for each.
struct ProgramWaits {
    std::string summary;
    std::string lines;
};

ProgramWaits waits_of_threads(firmware::CompiledKernel& compiled) {
    const auto waits = compiled.thread_waits();
    if (!waits) {
        return {};
    }
    const std::string summary = waits->summary();
    return {summary.empty() ? "" : summary + "; ", waits->lines([&](std::uint32_t address) {
                return source_place(compiled.image(), address);
            })};
}

ProgramWaits waits_of_program(nodes::Machine& machine, firmware::CompiledKernel* compiled) {
    if (compiled == nullptr) {
        return {};
    }
    const auto waits = compiled->mpi_waits();
    if (!waits) {
        return waits_of_threads(*compiled);
    }
    const std::string summary = waits->summary();
    return {summary.empty() ? "" : summary + "; ", waits->lines([&](std::int32_t rank) {
                const std::int32_t ranks = compiled->processes_per_node();
                nodes::sparcle::SparcleCore& core =
                    machine.node(hw::NodeId(rank / ranks)).sparcle_core();
                const std::int32_t context = rank % ranks;
                const auto call = ranks == 1 ? library_call(core, compiled->image())
                                             : library_call(core, compiled->image(), context);
                const std::uint32_t pc = ranks == 1 ? core.unit().pc() : pc_of(core, context);
                return firmware::MpiWaits::Place{
                    call ? call->mpi_function() : "",
                    source_place(compiled->image(), call ? call->pc : pc)};
            })};
}

std::string explain(nodes::RunEnd end, nodes::Machine& machine, const Setup& setup,
                    firmware::CompiledKernel* compiled) {
    const auto failed = compiled != nullptr ? compiled->failed_program() : std::nullopt;
    const bool stands_still = end == nodes::RunEnd::kDeadlock || end == nodes::RunEnd::kNoProgress;
    const bool reached_limit = end == nodes::RunEnd::kCycleLimit && compiled != nullptr;
    const ProgramWaits waits = stands_still    ? waits_of_program(machine, compiled)
                               : reached_limit ? waits_of_threads(*compiled)
                                               : ProgramWaits();
    const std::string at = "cycle " + std::to_string(machine.now().count()) + ": " +
                           (failed ? *failed + "; " : std::string()) + waits.summary;
    const std::string left = std::to_string(machine.threads_running()) + " of " +
                             std::to_string(machine.node_count()) + " threads have not ended";
    switch (end) {
        case nodes::RunEnd::kDeadlock:
            return at + "deadlock, " + left + "; " + machine.explain_waits() + waits.lines;
        case nodes::RunEnd::kNoProgress:
            return at + "no progress for run.watchdog_cycles = " +
                   std::to_string(setup.run.watchdog_cycles.value().count()) + " cycles, " + left +
                   "; " + machine.explain_waits() + waits.lines;
        case nodes::RunEnd::kStarved:
            return at + left + "; " + machine.explain_starvation();
        case nodes::RunEnd::kCycleLimit:
            return at + "run.most_cycles reached, " + left +
                   (waits.lines.empty() ? where_programs_are(machine) : waits.lines);
        default:
            return {};
    }
}

// Utilisation of the network's channels over all cycles; empty without routers.
records::ChannelUses channel_uses(const Setup& setup, nodes::Machine& machine) {
    const network::NetworkParameters& parameters = setup.machine.network;
    return parameters.model.value() == network::NetworkModel::kWormhole
               ? machine_channel_uses(machine.network(), parameters, machine.now())
               : records::ChannelUses();
}

void add_busiest_channel(const records::ChannelUses& channels, records::Metrics& metrics) {
    const auto busiest = std::max_element(
        channels.begin(), channels.end(),
        [](const auto& a, const auto& b) { return a.utilisation < b.utilisation; });
    if (busiest != channels.end()) {
        constexpr double kPercent = 100.0;
        add(metrics, run_metrics().busiest_channel_percent, kPercent * busiest->utilisation);
    }
}

// Writes the utilisation of the network's channels and of the nodes' queues over all cycles.
void write_network_use(const records::ChannelUses& channels, nodes::Machine& machine,
                       const std::filesystem::path& folder) {
    if (!channels.empty()) {
        write_channels(channels, folder);
    }
    const QueueUses queues = queue_uses(machine.statistics(), machine.now());
    if (!queues.empty()) {
        write_queues(queues, folder);
    }
}

// Runs a compiled program; writes its console, files and profile even if it fails.
nodes::RunEnd run_compiled(nodes::Machine& machine, const nodes::Machine::RunLimits& limits,
                           firmware::CompiledKernel& kernel, const setup::TraceParameters& trace,
                           const std::filesystem::path& folder, Instrument* instrument) {
    ConsoleLog console(machine.node_count() * kernel.processes_per_node());
    const std::unique_ptr<HostFiles> files = host_files(machine, kernel, console);
    start_compiled(machine, kernel, console, files.get());
    std::optional<ExecutionProfile> profile;
    if (trace.profile.value() || trace.instructions.value()) {
        profile.emplace(machine, kernel.image(),
                        trace::CycleWindow{trace.begin_cycle.value(), trace.end_cycle.value()},
                        trace.instructions.value() ? std::optional(folder) : std::nullopt);
    }
    const auto write = [&] {
        console.write(folder);
        if (files) {
            files->write(folder);
        }
        if (profile) {
            profile->close_instructions();
        }
        if (trace.profile.value()) {
            profile->write(folder);
        }
    };
    if (instrument != nullptr) {
        instrument->attach(machine, kernel.image());
    }
    try {
        const nodes::RunEnd end = machine.run(limits);
        write();
        if (instrument != nullptr) {
            instrument->ended();
        }
        return end;
    } catch (...) {
        write();
        if (instrument != nullptr) {
            instrument->faulted();
            instrument->ended();
        }
        throw;
    }
}

std::optional<analyses::IntervalQuestion> interval_question(const Setup& setup) {
    if (!setup.wants_interval()) {
        return std::nullopt;
    }
    return analyses::IntervalQuestion{
        .batches = static_cast<std::size_t>(setup.run.batches.value()),
        .detects_warm_up = setup.detects_warm_up()};
}

void add_fault_metrics(const network::FaultLog::Statistics& counted, records::Metrics& metrics) {
    const FaultMetrics& of_faults = fault_metrics();
    add(metrics, of_faults.messages_lost, static_cast<double>(counted.messages_lost.value()));
    add(metrics, of_faults.messages_damaged, static_cast<double>(counted.messages_damaged.value()));
    add(metrics, of_faults.flits_lost, static_cast<double>(counted.flits_lost.value()));
    add(metrics, of_faults.flits_flipped, static_cast<double>(counted.flits_flipped.value()));
}

}  // namespace

nlohmann::ordered_json KernelKind::program_facts() const {
    return {{"message_pattern", kernel_->message_pattern()},
            {"program", analysis_.facts(*kernel_)}};
}

analyses::TracedRun KernelKind::traced_run(const Setup& setup, const trace::Trace& trace) const {
    const trace::CycleWindow asked{setup.run.warmup_cycles.value(), setup.trace.end_cycle.value()};
    return {.trace = trace,
            .kernel = *kernel_,
            .machine = setup.machine,
            .node_count = static_cast<std::int32_t>(setup.machine.node_count()),
            .handlers_wait_for_bodies = setup.firmware.body_receive.value() ==
                                        firmware::ActiveMessages::Completion::kBlocking,
            .asked = asked,
            .window = asked,
            .facts = analysis_.facts(*kernel_)};
}

records::Measured KernelKind::measure(const Setup& setup, const trace::Trace& trace,
                                      const std::filesystem::path& folder) {
    const analyses::TracedRun run = traced_run(setup, trace);
    records::Measured measured = analyses::measure(run, analysis_, interval_question(setup));
    analysis_.write_tables(run, measured, folder);
    if (has_inputs_fitted_to(trace)) {
        (*measured.particulars)[kFittedToThisRun] = true;
    }
    return measured;
}

void KernelKind::elaborate(Setup& setup, const std::filesystem::path& /*folder*/,
                           const std::function<void()>& look) {
    const nodes::Machine machine("machine", setup.machine, 1, nullptr);
    look();
}

void KernelKind::prepare(const Setup& setup, std::uint64_t seed, nodes::MachineShape shape,
                         nodes::MemoryAccess& memory) {
    if (firmware::CompiledKernel* compiled = compiled_kernel()) {
        compiled->configure(setup.machine.core.receive_mode.value(),
                            setup.machine.sparcle.floating_point_unit.value(),
                            setup.machine.controller.overflow_trap.value(), setup.firmware);
    }
    shape.memory_bytes = setup.memory_for_data();
    try {
        kernel_->prepare(shape, seed, memory);
    } catch (const nodes::ProgramFault& fault) {
        // The fault is in the user's data, which do not fit.
        throw firmware::InputFault(fault.fault());
    } catch (const firmware::ImageFault& fault) {
        throw firmware::InputFault(fault.fault());
    } catch (...) {
        nodes::rethrow_from_program("the kernel's prepare()");
    }
}

namespace {

// Calls a function of the kernel; an exception of the kernel's own code names it as the source.
template <class Call>
auto of_kernel(const char* what, Call call) {
    try {
        return call();
    } catch (...) {
        nodes::rethrow_from_program(std::string("the kernel's ") + what);
    }
}

}  // namespace

void KernelKind::load(const Setup& setup, std::uint64_t seed, nodes::Machine& machine) {
    prepare(setup, seed, machine.shape(), machine);
    if (compiled_kernel() == nullptr) {
        machine.load([this, &setup](nodes::Processor& processor) {
            return of_kernel("program()",
                             [&] { return kernel_->program(processor, setup.firmware); });
        });
    }
}

namespace {

// Details that the experiment's [trace] asks for. If it asks for intervals, the trace store sums up
// queue levels by interval.
nodes::TracedDetails traced_details(const setup::TraceParameters& asked, trace::TraceStore& store) {
    const hw::Cycles interval = asked.interval_cycles.value();
    const bool has_intervals = interval > hw::Cycles(0);
    if (has_intervals) {
        store.keep_queue_intervals(interval, asked.queue_levels.value());
    }
    return {.queue_levels = asked.queue_levels.value() || has_intervals,
            .shared_accesses = asked.shared_accesses.value(),
            .line_states = asked.line_states.value(),
            .channel_interval = interval};
}

}  // namespace

// Sets how many host cores emulate the machine. It is only one if an observer or a server is common
// to all cores, or if the kernel's programs change common data.
void KernelKind::share_cores(Setup& setup, const RunRequest& request) {
    const firmware::CompiledKernel* compiled = compiled_kernel();
    const bool is_served = compiled != nullptr && compiled->host_access();
    const bool is_watched = request.instrument != nullptr || setup.trace.profile.value() ||
                            setup.trace.instructions.value();
    if (is_served || is_watched || !kernel_->runs_in_tiles()) {
        static_cast<void>(setup.machine.network.tiles.set(std::int64_t{1}));
    }
    setup.machine.host_cores = request.cores;
}

records::SimulationResult KernelKind::run(Setup& setup, const RunRequest& request) {
    const HostSeconds taken;
    const std::filesystem::path& folder = request.folder;
    write_configuration(setup, request.seed, folder / "configuration.toml");
    share_cores(setup, request);

    const trace::CycleWindow kept{setup.trace.begin_cycle.value(), setup.trace.end_cycle.value()};
    trace::TraceStore store(folder / trace::kTraceFile,
                            static_cast<std::int32_t>(setup.machine.node_count()), kept);
    // Never destroyed: the process runs nothing else, and SystemC's registry of modules takes
    // quadratic time.
    nodes::Machine& machine =
        *std::make_unique<nodes::Machine>(
             "machine", setup.machine, request.seed,
             request.instrument != nullptr ? &request.instrument->watched(store) : &store,
             traced_details(setup.trace, store))
             .release();
    load(setup, request.seed, machine);

    nodes::Machine::RunLimits limits;
    limits.most_cycles = setup.run.most_cycles.value();
    limits.watchdog_cycles = setup.run.watchdog_cycles.value();
    limits.proceed = [&] {
        return (request.instrument == nullptr || request.instrument->proceed()) &&
               request.report({static_cast<double>(machine.now().count()), kernel_->progress()});
    };
    limits.stops = request.instrument != nullptr ? request.instrument->stops() : nullptr;
    records::SimulationResult result;
    const HostSeconds taken_by_machine;
    firmware::CompiledKernel* compiled = compiled_kernel();
    result.end = compiled != nullptr ? run_compiled(machine, limits, *compiled, setup.trace, folder,
                                                    request.instrument)
                                     : machine.run(limits);
    result.seed = request.seed;
    result.cycles = machine.now().count();
    result.machine_seconds = taken_by_machine.processor();
    result.messages = machine.account().messages_launched;
    result.explanation = explain(result.end, machine, setup, compiled);
    if (result.end == nodes::RunEnd::kCycleLimit) {
        records::write_run_file(folder / kStateFile, state_text(machine));
    }
    result.facts = program_facts();
    const bool finished = result.end == nodes::RunEnd::kFinished;
    if (finished) {
        // Reports the run as complete, since only the check and the measurement remain.
        static_cast<void>(request.report({static_cast<double>(result.cycles), 1.0}));
        if (const auto wrong = of_kernel("check()", [&] { return kernel_->check(machine); })) {
            result.wrong_answer = true;
            const std::string faults = machine.faults_so_far();
            const bool is_by_status = compiled != nullptr && compiled->failed_program();
            result.explanation = (is_by_status ? "" : "wrong answer: ") + *wrong +
                                 (faults.empty() ? "" : "; " + faults);
        }
    }

    store.set_run_info("kernel", setup.kernel_name);
    store.set_run_info("seed", std::to_string(request.seed));
    store.set_run_info("cycles", std::to_string(result.cycles));
    store.set_run_info("end", std::string(nodes::run_end_name(result.end)));
    store.set_run_info("host_version", setup::kVersion);
    store.finish();
    write_statistics(machine.statistics(), folder);
    const records::ChannelUses channels = channel_uses(setup, machine);
    write_network_use(channels, machine, folder);
    if (const auto fault = machine.account().fault(finished)) {
        throw std::logic_error(*fault);
    }
    if (finished) {
        const trace::Trace trace = trace::read_log(folder / trace::kTraceFile);
        result.measured = measure(setup, trace, folder);
        add(result.measured.metrics, run_metrics().run_cycles, static_cast<double>(result.cycles));
        add_busiest_channel(channels, result.measured.metrics);
        if (!result.measured.round_trip.empty() &&
            analyses::wholes_of_parts(result.measured).empty()) {
            analyses::add_whole(run_metrics().run_cycles, 1.0, result.measured);
        }
        if (const network::FaultLog* faults = machine.network().fault_log()) {
            add_fault_metrics(faults->statistics(), result.measured.metrics);
        }
    }
    result.wall_seconds = taken.wall();
    result.processor_seconds = taken.processor();
    return result;
}

}  // namespace weir::experiments::kinds
