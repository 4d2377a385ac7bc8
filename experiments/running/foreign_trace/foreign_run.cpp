#include "experiments/running/foreign_trace/foreign_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/setup.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/database/foreign_trace.h"
#include "experiments/trace/database/stored_trace.h"
#include "firmware/kernel.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

// Memory for the data of a kernel that is not run.
class NoMachine final : public nodes::MemoryAccess {
  public:
    void write_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                      std::span<const std::uint8_t> /*data*/) override {}
    void read_memory(hw::NodeId /*node*/, std::uint32_t /*address*/,
                     std::span<std::uint8_t> data) override {
        std::fill(data.begin(), data.end(), std::uint8_t{0});
    }
};

// The kernel's data as the run had them, for models that need to know of them.
void prepare(kinds::Setup& setup, firmware::Kernel& kernel) {
    nodes::MachineShape shape;
    for (const std::int32_t extent :
         setup.machine.network.neighbour_extents(setup.machine.node_count())) {
        shape.mesh_extents.push_back(extent);
    }
    shape.memory_bytes = setup.memory_for_data();
    NoMachine memory;
    kernel.prepare(shape, static_cast<std::uint64_t>(setup.run.seeds.value().front()), memory);
}

void require_one_kernel_run(const setup::ExperimentFile& file, const kinds::Setup& setup) {
    if (file.points().size() > 1) {
        throw setup::UserFault(
            {file.place_of("workload.kernel", setup::SelectedRun(0)).source},
            fmt::format("it has {} points, and a trace is of one", file.points().size()),
            "an experiment with a single point");
    }
    if (kinds::find_kernel_kind(setup) == nullptr) {
        throw file.fault_at("workload.kernel", setup::SelectedRun(0),
                            setup.kind->family() + " leaves no cycle trace", "a kernel");
    }
}

void require_nodes(const setup::ExperimentFile& file, const kinds::Setup& setup,
                   const trace::TraceDatabase& trace) {
    const std::int64_t nodes = trace::trace_node_count(trace);
    if (nodes != setup.machine.node_count()) {
        throw file.fault_at("machine.nodes", setup::SelectedRun(0),
                            fmt::format("the machine has {} nodes, and the trace {} has {}",
                                        setup.machine.node_count(), trace.path(), nodes),
                            "a machine with as many nodes as the trace");
    }
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

}  // namespace

ForeignResult measure_traces(const RunOptions& options, std::span<const fs::path> traces) {
    const setup::SelectedRun first(0);
    const setup::ExperimentFile file =
        setup::ExperimentFile::read(options.file, options.presets, options.set_options);
    const std::vector<std::string> models = chosen_models(file);
    const std::unique_ptr<kinds::Setup> setup = check_run(file, first);
    require_one_kernel_run(file, *setup);
    ForeignResult measured;
    std::vector<records::SimulationResult> runs;
    kinds::KernelKind& kind = kinds::kernel_kind(*setup);
    prepare(*setup, kind.kernel());
    for (const fs::path& path : traces) {
        const trace::TraceDatabase database = trace::open_foreign_trace(path);
        require_nodes(file, *setup, database);
        const trace::Trace trace = trace::load_trace(database);
        records::SimulationResult& run = runs.emplace_back();
        run.seed = runs.size();
        run.cycles = last_cycle(trace);
        run.facts = kind.program_facts();
        run.measured = kind.measure(*setup, trace);
        measured.traces.push_back({path.string(), trace.absent_tables});
    }
    records::ExperimentResult& result = measured.result;
    result.file = options.file.string();
    result.title = file.title();
    result.description = file.description();
    result.kernel = setup->kernel_name;
    result.warmup_cycles = setup->run.warmup_cycles.value().count();
    result.points.push_back(evaluate_point(file, first, file.points().front().label, runs, models));
    result.leading_metric = leading_metric_of(*setup, result.points);
    return measured;
}

std::vector<std::string> what_is_not_said(const std::vector<std::string>& absent_tables) {
    constexpr std::array kNeeds{
        std::pair{"core_intervals",
                  "what a thread's send takes, and where an iteration's cycles go"},
        std::pair{"marks", "times between a kernel's marks"},
        std::pair{"dma_transfers", "what long messages take"},
        std::pair{"stalls", "how long arriving messages stopped the network"},
        std::pair{"queue_levels", "what a queue held"},
    };
    std::vector<std::string> sentences;
    for (const auto& [table, what] : kNeeds) {
        if (std::find(absent_tables.begin(), absent_tables.end(), table) != absent_tables.end()) {
            sentences.push_back(fmt::format("without {}: {}", table, what));
        }
    }
    return sentences;
}

}  // namespace weir::experiments::running
