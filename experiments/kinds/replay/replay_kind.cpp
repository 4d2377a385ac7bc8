#include "experiments/kinds/replay/replay_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/kinds/machine_size.h"
#include "experiments/kinds/replay/replay_kernel.h"
#include "experiments/records/json_fields.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::kinds {

WEIR_JSON_FIELDS(ReplayKernel::Facts, recorded_cycles, recorded_latency_cycles)

namespace {

struct ReplayMetrics final : records::MetricGroup {
    records::Metric replay_cycles{*this, "replay_cycles", "cycles",
                                  "Time of the replay from cycle 0 to the end of the last handler"};
    records::Metric recorded_cycles{
        *this, "recorded_cycles", "cycles",
        "Time of the recorded run from cycle 0 to the end of the last handler"};
    records::Metric slowdown{*this, "slowdown", "1", "Ratio of replay_cycles to recorded_cycles"};
    records::Metric recorded_latency_cycles{
        *this, "recorded_latency_cycles", "cycles",
        "Mean latency of the short messages of the recorded run"};
};

class ReplayAnalysis final
    : public analyses::WithMetrics<ReplayMetrics, analyses::AnalysisOf<ReplayKernel>> {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &records::declared<ReplayMetrics>().replay_cycles;
    }
    void measure(const analyses::TracedRun& run, records::Measured& measured) const override {
        const auto last = trace::last_time(run.trace, &hw::MessageTimes::handler_end);
        if (!last) {
            return;  // no handler ended before trace.end_cycle
        }
        const auto recorded = facts_of(run.facts);
        const auto cycles = static_cast<double>(last->count());
        const auto& m = records::declared<ReplayMetrics>();
        add(measured.metrics, m.replay_cycles, cycles);
        add(measured.metrics, m.recorded_cycles, recorded.recorded_cycles);
        add(measured.metrics, m.slowdown, cycles / recorded.recorded_cycles);
        if (recorded.recorded_latency_cycles > 0.0) {
            add(measured.metrics, m.recorded_latency_cycles, recorded.recorded_latency_cycles);
        }
    }
};

const ReplayAnalysis& replay_analysis() {
    static const ReplayAnalysis analysis;
    return analysis;
}

ReplayKernel& replay_kernel(KernelKind& kind) { return dynamic_cast<ReplayKernel&>(kind.kernel()); }

// Refuses keys of costs that the recorded times replace. Presets of a whole machine may have these
// keys.
void refuse_recorded_keys(const setup::ExperimentFile& file, setup::SelectedRun run,
                          const std::vector<hw::ParameterGroup*>& all,
                          const std::vector<hw::ParameterGroup*>& present) {
    const std::string experiment = file.workload_kernel(run).place.source;
    for (const hw::ParameterGroup* group : all) {
        if (std::find(present.begin(), present.end(), group) != present.end()) {
            continue;
        }
        for (const hw::ParameterBase* parameter : group->parameters()) {
            const std::string key = group->table() + "." + parameter->name();
            const setup::Place place = file.place_of(key, run);
            const bool is_of_experiment =
                place.source == experiment || place.source.starts_with("--");
            if (parameter->is_given() && is_of_experiment) {
                throw file.fault_at(key, run,
                                    key +
                                        " has no effect on a replay, whose processors take the "
                                        "recorded times",
                                    "[network], [controller], [dma], [memory_port], [memory], "
                                    "[clock], [run] and [trace], or no " +
                                        key);
            }
        }
    }
}

void refuse_traces_that_do_not_fit(const setup::ExperimentFile& file, setup::SelectedRun run,
                                   const Setup& setup, const RecordingNeeds& needs) {
    const std::int64_t nodes = setup.machine.node_count();
    if (needs.nodes > nodes) {
        throw file.fault_at(
            "workload.trace", run,
            fmt::format("the trace has {} nodes, and this machine {}", needs.nodes, nodes),
            fmt::format("a trace of at most {} nodes, or a machine of {}", nodes, needs.nodes));
    }
    const hw::Bytes memory = setup.machine.memory.bytes.value();
    if (needs.longest_body > memory) {
        throw file.fault_at("memory.bytes", run,
                            fmt::format("the trace has a message with a body of {} bytes, and a "
                                        "node {} bytes of memory",
                                        needs.longest_body.count(), memory.count()),
                            "memory for the longest body");
    }
}

}  // namespace

ReplayKind::ReplayKind() : KernelKind(std::make_unique<ReplayKernel>(), replay_analysis()) {}

std::vector<hw::ParameterGroup*> ReplayKind::groups(Setup& setup) {
    nodes::MachineConfiguration& machine = setup.machine;
    return {&machine.machine, &machine.clock,       &machine.network, &machine.controller,
            &machine.dma,     &machine.memory_port, &machine.memory,  &kernel().parameters(),
            &setup.run,       &setup.trace};
}

void ReplayKind::set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) {
    const std::vector<hw::ParameterGroup*> all = KernelKind::groups(setup);
    file.apply(run, all);
    settle_size(file, run, setup.machine);
    refuse_recorded_keys(file, run, all, groups(setup));
    // Handlers run in parallel to the threads, on cores without other work.
    nodes::CoreParameters& core = setup.machine.core;
    static_cast<void>(core.kind.set("behavioural"));
    static_cast<void>(core.receive_mode.set("protocol_processor"));
    static_cast<void>(core.contexts.set(std::int64_t{1}));
    if (const auto fault = setup.machine.check()) {
        throw file.fault_at(*fault, run);
    }
    if (setup.machine.controller.overflow_trap.value()) {
        throw file.fault_at("controller.overflow_trap", run,
                            "processors of a replay take no overflow traps",
                            "controller.overflow_trap = false");
    }
    ReplayKernel& replay = replay_kernel(*this);
    try {
        const RecordingNeeds needs = RecordingNeeds::of(
            trace::TraceDatabase::open(replay.trace_file(), {"run", "messages"}));
        refuse_traces_that_do_not_fit(file, run, setup, needs);
        const hw::ControllerParameters& controller = setup.machine.controller;
        replay.use({.store = controller.store_cycles.value(),
                    .load = controller.load_cycles.value(),
                    .launch = controller.launch_cycles.value(),
                    .engine = setup.machine.dma.setup_cycles.value()},
                   needs.longest_body > hw::Bytes(0));
    } catch (const trace::TraceError& fault) {
        throw file.fault_at("workload.trace", run, fault.what(), "the trace of a run");
    }
    refuse_what_does_not_fit(file, run, setup);
}

const records::MetricList& ReplayKind::metrics() const {
    static const records::MetricList all = [this] {
        records::MetricList list = KernelKind::metrics();
        const auto& own = records::declared<ReplayMetrics>().metrics();
        list.insert(list.end(), own.begin(), own.end());
        return list;
    }();
    return all;
}

std::unique_ptr<Kind> make_replay_kind(const setup::ExperimentFile& file, setup::SelectedRun run) {
    return file.workload_kernel(run).name == kReplay ? std::make_unique<ReplayKind>() : nullptr;
}

}  // namespace weir::experiments::kinds
