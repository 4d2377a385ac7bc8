#include "experiments/kinds/recorded/recorded_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/kinds/host_seconds.h"
#include "experiments/kinds/run_files.h"
#include "experiments/records/json_fields.h"
#include "experiments/records/validation.h"
#include "experiments/setup/files/seed_path.h"
#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/database/stored_trace.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::kinds {

WEIR_JSON_FIELDS(MeasuredTrace, file, absent_tables)

namespace {

namespace fs = std::filesystem;

// Memory that ignores what a kernel writes to it, since a recorded kernel does not run.
class NoMachine final : public nodes::MemoryAccess {
  public:
    void write_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                      std::span<const std::uint8_t> /*data*/) override {}
    void read_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                     std::span<std::uint8_t> data) override {
        std::fill(data.begin(), data.end(), std::uint8_t{0});
    }
};

std::optional<hw::Fault> fault_of_nodes(const Setup& setup, const fs::path& trace,
                                        std::int64_t nodes) {
    if (nodes == setup.machine.node_count()) {
        return std::nullopt;
    }
    return hw::Fault{"machine.nodes",
                     fmt::format("the machine has {} nodes, and the trace {} has {}",
                                 setup.machine.node_count(), trace.string(), nodes),
                     "a machine with as many nodes as the trace",
                     {}};
}

std::int64_t last_cycle(const trace::Trace& trace) {
    std::int64_t last = 0;
    for (const trace::MessageRow& message : trace.messages) {
        for (const hw::Cycles time : {message.times.launch, message.times.handler_end}) {
            last = time < hw::kNever ? std::max(last, time.count()) : last;
        }
    }
    return last;
}

std::int64_t launched_messages(const trace::Trace& trace) {
    return std::count_if(
        trace.messages.begin(), trace.messages.end(),
        [](const trace::MessageRow& message) { return message.times.launch < hw::kNever; });
}

trace::Trace checked_trace(const Setup& setup, const fs::path& path) {
    try {
        const trace::TraceDatabase database = trace::open_foreign_trace(path);
        if (auto fault = fault_of_nodes(setup, path, trace::trace_node_count(database))) {
            throw nodes::MachineFault(*std::move(fault));
        }
        return trace::load_trace(database);
    } catch (const trace::TraceError& fault) {
        throw firmware::InputFault(fault.fault());
    }
}

}  // namespace

std::vector<hw::ParameterGroup*> RecordedKind::groups(Setup& setup) {
    std::vector<hw::ParameterGroup*> groups = KernelKind::groups(setup);
    groups.push_back(&parameters_);
    return groups;
}

void RecordedKind::set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) {
    KernelKind::set_up(file, run, setup);
    const std::string key = parameters_.table() + "." + parameters_.trace.name();
    const std::string path = parameters_.trace.value();
    const std::vector<std::int64_t> seeds = setup.run.seeds.value();
    if (path.empty()) {
        throw file.fault_at(key, run, key + " names no file", "the trace of a run");
    }
    if (seeds.size() > 1 && !setup::names_each_seed(path)) {
        throw file.fault_at("run.seeds", run,
                            fmt::format("{} is the trace of one run, and run.seeds has {} seeds",
                                        key, seeds.size()),
                            fmt::format("one seed, or {} in {}", setup::kSeedInPath, key));
    }
    for (const std::int64_t seed : seeds) {
        const fs::path trace = setup::path_of_seed(path, static_cast<std::uint64_t>(seed));
        try {
            if (const auto fault = fault_of_nodes(setup, trace, trace::stored_node_count(trace))) {
                throw file.fault_at(*fault, run);
            }
        } catch (const trace::TraceError& fault) {
            throw file.fault_at(key, run, fault.what(), "the trace of a run");
        }
    }
    if (setup.run.relative_precision.value() > 0.0 && steady_state_length() != nullptr) {
        static_cast<void>(setup.run.most_lengthening.set(
            std::int64_t{1}));  // the length of a recorded run is fixed
    }
}

void RecordedKind::elaborate(Setup& /*setup*/, const fs::path& /*folder*/,
                             const std::function<void()>& look) {
    look();
}

records::SimulationResult RecordedKind::run(Setup& setup, const RunRequest& request) {
    const HostSeconds taken;
    if (request.instrument != nullptr) {
        throw firmware::InputFault("recorded.trace", "a recorded run executes no instructions",
                                   "a run on the machine, without [recorded]");
    }
    const std::string path = parameters_.trace.value();
    if (!setup::names_each_seed(path) &&
        static_cast<std::int64_t>(request.seed) != setup.run.seeds.value().front()) {
        throw firmware::InputFault(
            path,
            fmt::format("the trace is of one run, and there is no trace for seed {}", request.seed),
            fmt::format("{} in recorded.trace, or no run.relative_precision", setup::kSeedInPath));
    }
    write_configuration(setup, request.seed, request.folder / "configuration.toml");
    write_statistics({}, request.folder);
    static_cast<void>(request.report({0.0, 1.0}));  // only the measurement remains
    const trace::Trace trace = checked_trace(setup, setup::path_of_seed(path, request.seed));
    NoMachine memory;
    prepare(setup, request.seed, nodes::shape_of(setup.machine), memory);
    records::SimulationResult result;
    result.seed = request.seed;
    result.cycles = last_cycle(trace);
    result.messages = launched_messages(trace);
    result.facts = program_facts();
    result.measured = measure(setup, trace, request.folder);
    (*result.measured.particulars)[records::kTraces] =
        std::vector{MeasuredTrace{trace.path(), trace.absent_tables}};
    result.wall_seconds = taken.wall();
    result.processor_seconds = taken.processor();
    return result;
}

void RecordedKind::ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) {
    KernelKind::ask_models(asked, setup, point);
    records::Particulars& traces = (*point.particulars)[records::kTraces];
    traces = records::Particulars::array();
    for (const records::SimulationResult& run : asked.seeds) {
        const records::Particulars& own = run.measured.particulars->at(records::kTraces);
        traces.insert(traces.end(), own.begin(), own.end());
    }
}

std::unique_ptr<Kind> make_recorded_kind(const setup::ExperimentFile& file,
                                         setup::SelectedRun run) {
    if (!file.has_table(RecordedParameters().table(), run)) {
        return nullptr;
    }
    const setup::NameInFile name = file.workload_kernel(run);
    if (std::unique_ptr<firmware::Kernel> kernel = named_kernel(file, run)) {
        return std::make_unique<RecordedKind>(std::move(kernel), analyses::analysis_of(name.name));
    }
    const std::vector<NamedWorkload> others = workloads_without_kernel();
    if (std::any_of(others.begin(), others.end(),
                    [&name](const NamedWorkload& other) { return other.name == name.name; })) {
        throw file.fault_at("workload.kernel", run,
                            fmt::format("[recorded] has the trace of a kernel's run, and \"{}\" is "
                                        "no kernel",
                                        name.name),
                            "a kernel, or no [recorded]");
    }
    return nullptr;  // an unknown name is reported by another check
}

std::unique_ptr<Kind> listed_recorded_kind() {
    const firmware::KernelEntry& any = firmware::kernels().front();
    return std::make_unique<RecordedKind>(any.make(), analyses::analysis_of(any.name));
}

setup::Layer recorded_run(const std::string& trace, std::int64_t seed, const setup::Place& place) {
    const auto entry = [&place](const std::string& key, auto value) {
        return setup::TomlEntry{key, place, place, std::move(value)};
    };
    const RecordedParameters recorded;
    const setup::RunParameters run;
    setup::Layer layer;
    layer.owner = setup::Layer::Owner::kSetOption;
    layer.settings = {
        entry(recorded.table(), setup::TomlTable{{entry(recorded.trace.name(), trace)}}),
        entry(run.table(),
              setup::TomlTable{{entry(run.seeds.name(), setup::TomlList{{entry("", seed)}})}})};
    return layer;
}

std::vector<std::string> MeasuredTrace::missing_measurements() const {
    constexpr std::array kNeeds{
        std::pair{"core_intervals", "time of a thread's send, and parts of an iteration"},
        std::pair{"marks", "times between a kernel's marks"},
        std::pair{"dma_transfers", "times of long messages"},
        std::pair{"stalls", "times in which arriving messages blocked the network"},
        std::pair{"queue_levels", "fill levels of queues"},
    };
    std::vector<std::string> sentences;
    for (const auto& [table, what] : kNeeds) {
        if (std::find(absent_tables.begin(), absent_tables.end(), table) != absent_tables.end()) {
            sentences.push_back(fmt::format("without {}: {}", table, what));
        }
    }
    return sentences;
}

std::vector<MeasuredTrace> measured_traces(const records::PointResult& point) {
    return records::particular(point, records::kTraces).get<std::vector<MeasuredTrace>>();
}

std::optional<records::Section> traces_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("trace"), records::text_column("not in it")};
    for (const records::PointResult& point : result.points) {
        for (const MeasuredTrace& trace : measured_traces(point)) {
            for (const std::string& sentence : trace.missing_measurements()) {
                table.rows.push_back(
                    {records::text_cell(trace.file), records::text_cell(sentence)});
            }
        }
    }
    return records::section_of("Measurements that the recorded traces lack", std::move(table));
}

}  // namespace weir::experiments::kinds
