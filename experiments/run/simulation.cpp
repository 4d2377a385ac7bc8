#include "experiments/run/simulation.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "experiments/run/compiled_run.h"
#include "experiments/run/execution_profile.h"
#include "experiments/run/network_use.h"
#include "experiments/run/processor_use.h"
#include "experiments/run/run_files.h"
#include "experiments/run/transfer_report.h"
#include "experiments/run/version.h"
#include "experiments/trace/trace_error.h"
#include "experiments/trace/trace_store.h"

namespace weir::experiments::run {

namespace {

const char* end_name(nodes::RunEnd end) {
    switch (end) {
        case nodes::RunEnd::kFinished:
            return "finished";
        case nodes::RunEnd::kDeadlock:
            return "deadlock";
        case nodes::RunEnd::kNoProgress:
            return "no progress";
        case nodes::RunEnd::kCycleLimit:
            return "cycle limit";
        case nodes::RunEnd::kInterrupted:
            return "interrupted";
    }
    return "";
}

// Of Sparcle nodes whose programs have not ended.
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

std::string explain(nodes::RunEnd end, nodes::Machine& machine, const Setup& setup) {
    const std::string at = "cycle " + std::to_string(machine.now().count()) + ": ";
    const std::string left = std::to_string(machine.threads_running()) + " of " +
                             std::to_string(machine.node_count()) + " threads have not ended";
    switch (end) {
        case nodes::RunEnd::kDeadlock:
            return at + "deadlock, " + left + "; " + machine.explain_waits();
        case nodes::RunEnd::kNoProgress:
            return at + "nothing was done for run.watchdog_cycles = " +
                   std::to_string(setup.run.watchdog_cycles.value().count()) + " cycles, " + left +
                   "; " + machine.explain_waits();
        case nodes::RunEnd::kCycleLimit:
            return at + "run.most_cycles reached, " + left + where_programs_are(machine);
        default:
            return {};
    }
}

void write_transfers(const MeasuredTransfers& transfers, const std::filesystem::path& folder) {
    std::ofstream csv = open_run_file(folder / "transfers.csv");
    csv << "kind,element_bytes,stride_bytes,bytes,cycles,first_cycles,cycles_per_byte,"
           "overhead_cycles_per_byte,latency_cycles_per_byte";
    for (const std::string& model : kTransferModels) {
        csv << ',' << model << "_cycles_per_byte";
    }
    csv << '\n';
    for (const MeasuredTransfer& transfer : transfers) {
        const auto given = [](const auto& value) {
            return value ? fmt::format("{}", *value) : std::string();
        };
        csv << fmt::format("{},{},{},{},{},{},{},{},{}", transfer.kind, transfer.element_bytes,
                           transfer.stride_bytes, transfer.bytes, transfer.cycles,
                           given(transfer.first_cycles), transfer.cycles_per_byte,
                           given(transfer.overhead_cycles_per_byte),
                           given(transfer.latency_cycles_per_byte()));
        for (const TransferPrediction& prediction : transfer.predictions) {
            csv << fmt::format(",{}", prediction.cycles_per_byte);
        }
        csv << '\n';
    }
    const std::string what = fmt::format("{} of {}s", transfers.front().kind,
                                         transfers.front().element_bytes == 4 ? "word" : "double");
    const std::string curves = transfer_curves_picture(transfers, what + ": o + l");
    if (!curves.empty()) {
        open_run_file(folder / "transfers.svg") << curves;
    }
    const std::string latency =
        latency_heat_map_picture(transfers, what + ": l, beyond contiguous data");
    if (!latency.empty()) {
        open_run_file(folder / "latency.svg") << latency;
    }
}

// How busy the network's channels and full the nodes' queues were, in all cycles.
void write_network_use(const Setup& setup, nodes::Machine& machine,
                       const std::filesystem::path& folder) {
    const network::NetworkParameters& parameters = setup.machine.network;
    if (parameters.model.value() == network::NetworkModel::kWormhole) {
        write_channels(machine_channel_uses(machine.network(), parameters, machine.now()), folder);
    }
    const QueueUses queues = queue_uses(machine.statistics(), machine.now());
    if (!queues.empty()) {
        write_queues(queues, folder);
    }
}

// Idle processors over time (LogP Section 4.2).
void write_processor_use(const Setup& setup, const Measured& measured,
                         const std::filesystem::path& folder) {
    const auto makespan = find_metric(measured.metrics, "makespan_cycles");
    if (setup.kernel_name != "lu" || !makespan) {
        return;
    }
    constexpr std::size_t kSlices = 200;
    const std::vector<ProcessorUse> uses =
        processor_use(trace::TraceDatabase::open(folder / "trace.sqlite"),
                      {hw::Cycles(0), hw::Cycles(std::llround(*makespan))}, kSlices);
    open_run_file(folder / "processors.csv") << processor_use_table(uses);
    const hw::ParameterBase* layout = setup.kernel->parameters().find("layout");
    open_run_file(folder / "processors.svg")
        << processor_use_picture(uses, "LU, " + std::get<std::string>(layout->value_as_variant()) +
                                           ": processors over time");
}

void prepare(Setup& setup, std::uint64_t seed, nodes::Machine& machine) {
    try {
        nodes::MachineShape shape = machine.shape();
        shape.memory_bytes = setup.memory_for_data();
        setup.kernel->prepare(shape, seed, machine);
    } catch (const nodes::ProgramFault& fault) {
        throw firmware::InputFault(fault.what());  // data that don't fit are the user's
    } catch (const firmware::ImageFault& fault) {
        throw firmware::InputFault(fault.what());
    }
}

// What a compiled program leaves besides, also when it fails.
nodes::RunEnd run_compiled(nodes::Machine& machine, const nodes::Machine::RunLimits& limits,
                           firmware::CompiledKernel& kernel, const TraceParameters& trace,
                           const std::filesystem::path& folder, debug::Instrument* instrument) {
    ConsoleLog console(machine.node_count());
    start_compiled(machine, kernel, console);
    std::optional<ExecutionProfile> profile;
    if (trace.profile.value() || trace.instructions.value()) {
        profile.emplace(machine, kernel.image(),
                        trace::CycleWindow{trace.begin_cycle.value(), trace.end_cycle.value()},
                        trace.instructions.value() ? std::optional(folder) : std::nullopt);
    }
    const auto write = [&] {
        console.write(folder);
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

std::optional<IntervalQuestion> interval_question(Setup& setup) {
    if (!setup.wants_interval()) {
        return std::nullopt;
    }
    return IntervalQuestion{.batches = static_cast<std::size_t>(setup.run.batches.value()),
                            .detects_warm_up = setup.detects_warm_up()};
}

}  // namespace

MeasurementContext measurement_context(Setup& setup, const Metrics& kernel_facts) {
    return {
        .node_count = static_cast<std::int32_t>(setup.machine.node_count()),
        .window = {.begin = setup.run.warmup_cycles.value(), .end = setup.trace.end_cycle.value()},
        .communication = setup.kernel->communication(),
        .handlers_wait_for_bodies =
            setup.firmware.body_receive.value() == firmware::ActiveMessages::Completion::kBlocking,
        .processor_mhz = setup.machine.clock.processor_mhz.value(),
        .kernel_facts = kernel_facts,
        .interval = interval_question(setup)};
}

SimulationResult simulate(Setup& setup, std::uint64_t seed, const std::filesystem::path& folder,
                          const std::function<bool(const Progress&)>& report,
                          debug::Instrument* instrument) {
    const auto begin = std::chrono::steady_clock::now();
    write_configuration(setup, seed, folder / "configuration.toml");

    const trace::CycleWindow kept{setup.trace.begin_cycle.value(), setup.trace.end_cycle.value()};
    trace::TraceStore store(folder / "trace.sqlite",
                            static_cast<std::int32_t>(setup.machine.node_count()), kept);
    nodes::Machine machine("machine", setup.machine, seed, &store,
                           setup.trace.queue_levels.value());
    auto* compiled = dynamic_cast<firmware::CompiledKernel*>(setup.kernel.get());
    if (compiled != nullptr) {
        compiled->configure(setup.machine.core.receive_mode.value(),
                            setup.machine.sparcle.floating_point_unit.value(), setup.firmware);
    }
    prepare(setup, seed, machine);
    if (compiled == nullptr) {
        machine.load([&setup](nodes::Processor& processor) {
            return setup.kernel->program(processor, setup.firmware);
        });
    }

    nodes::Machine::RunLimits limits;
    limits.most_cycles = setup.run.most_cycles.value();
    limits.watchdog_cycles = setup.run.watchdog_cycles.value();
    limits.proceed = [&] {
        return (instrument == nullptr || instrument->proceed()) &&
               report({static_cast<double>(machine.now().count()), setup.kernel->progress()});
    };
    SimulationResult result;
    const auto machine_begin = std::chrono::steady_clock::now();
    result.end = compiled != nullptr
                     ? run_compiled(machine, limits, *compiled, setup.trace, folder, instrument)
                     : machine.run(limits);
    result.seed = seed;
    result.cycles = machine.now().count();
    result.machine_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - machine_begin).count();
    result.messages = machine.account().messages_launched;
    result.explanation = explain(result.end, machine, setup);
    result.kernel_facts = setup.kernel->facts();
    const bool finished = result.end == nodes::RunEnd::kFinished;
    if (finished) {
        if (const auto wrong = setup.kernel->check(machine)) {
            result.wrong_answer = true;
            result.explanation = "wrong answer: " + *wrong;
        }
    }

    store.set_run_info("kernel", setup.kernel_name);
    store.set_run_info("seed", std::to_string(seed));
    store.set_run_info("cycles", std::to_string(result.cycles));
    store.set_run_info("end", end_name(result.end));
    store.set_run_info("host_version", kVersion);
    store.finish();
    write_statistics(machine.statistics(), folder);
    write_network_use(setup, machine, folder);
    if (const auto fault = machine.account().fault(finished)) {
        throw std::logic_error(*fault);
    }
    if (finished) {
        result.measured =
            measure(folder / "trace.sqlite", measurement_context(setup, result.kernel_facts));
    }
    if (finished) {
        write_processor_use(setup, result.measured, folder);
    }
    const auto* copying = dynamic_cast<const firmware::MemoryTransfer*>(setup.kernel.get());
    if (finished && copying != nullptr) {
        result.transfers = measure_transfers(folder / "trace.sqlite", *copying, setup);
        const Metrics metrics = transfer_metrics(result.transfers);
        result.measured.metrics.insert(result.measured.metrics.end(), metrics.begin(),
                                       metrics.end());
        write_transfers(result.transfers, folder);
    }
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

}  // namespace weir::experiments::run
