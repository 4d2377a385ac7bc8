#include "firmware/kernels/lu/lu.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/processor_use.h"
#include "experiments/models/logp/lu.h"
#include "experiments/models/model_error.h"
#include "experiments/records/run_file.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Lu::Facts, layout, rows, update_cycles, values_per_message)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

constexpr std::size_t kTenths = 10;

// LogP Section 4.2.
struct LuMetrics final : records::MetricGroup {
    records::Metric idle_percent{*this, "idle_percent", "%",
                                 "Processors that are idle, over the whole time",
                                 "LogP Section 4.2"};
    records::MetricFamily idle_percent_tenth{
        *this,
        records::whole_numbers(1, kTenths),
        [](const std::string& tenth) { return "idle_percent_tenth_" + tenth; },
        "%",
        [](const std::string& tenth) {
            return "Processors that are idle, in a tenth of the time: " + tenth;
        },
        "LogP Section 4.2"};
    records::Metric messages_per_operation{*this, "messages_per_operation", "1",
                                           "Messages of all nodes for each step"};
};

const LuMetrics& lu_metrics() {
    static const LuMetrics metrics;
    return metrics;
}

trace::CycleWindow whole_time(const records::Measured& measured) {
    const auto makespan = records::find_metric(measured.metrics, program_metrics().makespan_cycles);
    return {hw::Cycles(0), hw::Cycles(makespan ? std::llround(*makespan) : 0)};
}

class LuAnalysis final : public AnalysisOf<firmware::Lu> {
  public:
    [[nodiscard]] std::vector<const records::MetricGroup*> metrics() const override {
        return {&lu_metrics()};
    }

    // How many processors are idle, all the time and in each tenth of it.
    void measure(const TracedRun& run, records::Measured& measured) const override {
        const trace::CycleWindow whole = whole_time(measured);
        if (!run.has_intervals() || whole.end == hw::Cycles(0)) {
            return;
        }
        const LuMetrics& m = lu_metrics();
        const auto percent = [&run](const ProcessorUse& use) {
            return 100.0 * use.idle / run.node_count;
        };
        add(measured.metrics, m.idle_percent, percent(processor_use(run.trace, whole, 1).front()));
        const std::vector<ProcessorUse> tenths = processor_use(run.trace, whole, kTenths);
        for (std::size_t i = 0; i < kTenths; ++i) {
            add(measured.metrics, m.idle_percent_tenth[i], percent(tenths[i]));
        }
        trace::Statement messages(run.trace, "SELECT count(*) FROM messages");
        const double steps = run.pattern().operations_per_node;
        if (messages.step() && steps > 0.0) {
            add(measured.metrics, m.messages_per_operation,
                static_cast<double>(messages.integer(0)) / steps);
        }
    }

    // processors.csv: idle processors over time.
    void write_tables(const TracedRun& run, const records::Measured& measured,
                      const std::filesystem::path& folder) const override {
        constexpr std::size_t kSlices = 200;
        const trace::CycleWindow whole = whole_time(measured);
        if (run.has_intervals() && whole.end > hw::Cycles(0)) {
            records::open_run_file(folder / "processors.csv")
                << processor_use_table(processor_use(run.trace, whole, kSlices));
        }
    }

    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        return model == "logp" ? std::optional(logp(question)) : std::nullopt;
    }

  private:
    // models/logp/lu.h: a value takes g there, and here a message has several; an operation takes a
    // cycle, and an update here its two loads, its store and update_cycles. Where a grid's elements
    // don't lie evenly the busiest processor of each step counts.
    static double logp(Question& question) {
        const Facts facts = facts_of(question.facts);
        models::LuInputs inputs;
        inputs.machine = logp_machine(logp_inputs(question.inputs), question.machine);
        const double overheads = 2.0 * inputs.machine.overhead_cycles;
        const double message_cycles = std::max(inputs.machine.gap_cycles, overheads);
        inputs.machine.latency_cycles += overheads;  // of a step's first message
        inputs.machine.overhead_cycles = 0.0;
        inputs.machine.gap_cycles = message_cycles / facts.values_per_message;
        inputs.rows = static_cast<std::int64_t>(facts.rows);
        const models::LuTotals totals = models::solve_logp_lu(inputs);
        const models::LuCost& cost = cost_of(facts.layout, totals, inputs.machine.processors);
        const MachineView& machine = question.machine;
        const double update =
            facts.update_cycles + 2.0 * machine.double_load_cycles + machine.double_store_cycles;
        const double computation = operations_of(facts.layout, totals, cost) / 2.0 * update;
        add(question.details, model_metrics().communication_cycles, cost.communication_cycles);
        add(question.details, model_metrics().computation_cycles, computation);
        return cost.communication_cycles + computation;
    }

    static const models::LuCost& cost_of(firmware::LuLayoutKind layout,
                                         const models::LuTotals& totals, int processors) {
        switch (layout) {
            case firmware::LuLayoutKind::kBad:
                return totals.layouts.bad;
            case firmware::LuLayoutKind::kColumn:
                return totals.layouts.column;
            default:
                break;
        }
        if (!totals.layouts.grid) {
            throw models::ModelError(
                "its grid has as many rows of processors as columns, and here " +
                std::to_string(processors) + " are no square");
        }
        return *totals.layouts.grid;
    }

    static double operations_of(firmware::LuLayoutKind layout, const models::LuTotals& totals,
                                const models::LuCost& cost) {
        switch (layout) {
            case firmware::LuLayoutKind::kBlockedGrid:
                return *totals.blocked_grid_computation_cycles;
            case firmware::LuLayoutKind::kScatteredGrid:
                return *totals.scattered_grid_computation_cycles;
            default:
                return cost.computation_cycles;
        }
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> lu_analysis() { return std::make_unique<LuAnalysis>(); }

}  // namespace weir::experiments::analyses
