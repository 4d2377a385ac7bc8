#include "firmware/kernels/lu/lu.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/processor_use.h"
#include "experiments/models/logp/algorithms/lu.h"
#include "experiments/models/model_error.h"
#include "experiments/records/point_values.h"
#include "experiments/records/run_file.h"
#include "experiments/records/stored_result.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Lu::Facts, layout, rows, update_cycles, values_per_message)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

constexpr std::size_t kTenths = 10;

// Metrics of LU decomposition (LogP Section 4.2).
struct LuMetrics final : records::MetricGroup {
    records::Metric idle_percent{*this, "idle_percent", "%",
                                 "Mean share of idle processors over the whole run",
                                 "LogP Section 4.2"};
    records::MetricFamily idle_percent_tenth{
        *this,
        records::whole_numbers(1, kTenths),
        [](const std::string& tenth) { return "idle_percent_tenth_" + tenth; },
        "%",
        [](const std::string& tenth) {
            return "Mean share of idle processors in tenth " + tenth + " of 10 of the run";
        },
        "LogP Section 4.2"};
    records::Metric values_received_per_operation{
        *this, "values_received_per_operation", "1",
        "Number of matrix values that a node receives in a step; mean of all nodes and steps",
        "LogP Section 4.2"};
};

trace::CycleWindow whole_time(const records::Measured& measured) {
    const auto makespan = records::find_metric(measured.metrics, program_metrics().makespan_cycles);
    return {hw::Cycles(0), hw::Cycles(makespan ? std::llround(*makespan) : 0)};
}

// Number of matrix values that all nodes receive; each value is two words of messages.
double values_received(const trace::Trace& trace) {
    constexpr double kValueWords = 2.0;
    double words = 0.0;
    for (const trace::MarkRow& mark : trace.marks) {
        if (trace.name_of(mark) == firmware::Lu::kWordsReceived) {
            words += static_cast<double>(mark.value);
        }
    }
    return words / kValueWords;
}

// Figure of the processors' activity in the first seed's run (LogP Section 4.2).
void add_processors_figure(const records::ExperimentResult& result,
                           const records::PointResult& point, records::Section& section) {
    const std::vector<std::filesystem::path> folders = records::folders_of_point(result, point);
    if (folders.empty()) {
        return;
    }
    const std::vector<ProcessorUse> uses = read_processor_use(folders.front() / "processors.csv");
    if (uses.size() < 2) {
        return;
    }
    records::LineChart chart;
    chart.title = "processor activity over time" + records::in_point(result, point);
    chart.caption = "Mean numbers of processors in equal slices of the run.";
    chart.x_name = "begin_cycle";
    chart.y_name = "processors";
    chart.x_label = "cycle";
    chart.y_label = "processors";
    for (const auto& [name, share] : {std::pair{"computing", &ProcessorUse::computing},
                                      std::pair{"communicating", &ProcessorUse::communicating},
                                      std::pair{"idle", &ProcessorUse::idle}}) {
        records::Curve curve{records::CurveKind::kMeasured, "measured", name, {}, true};
        for (const ProcessorUse& use : uses) {
            curve.points.push_back({use.begin_cycle, use.*share, std::nullopt});
        }
        chart.curves.push_back(std::move(curve));
    }
    section.blocks.emplace_back(records::Figure{"", chart});
}

class LuAnalysis final : public WithMetrics<LuMetrics, AnalysisOf<firmware::Lu>> {
  public:
    // Share of idle processors, in the whole run and in each tenth of it.
    void measure(const TracedRun& run, records::Measured& measured) const override {
        const trace::CycleWindow whole = whole_time(measured);
        if (!run.has_intervals() || whole.end == hw::Cycles(0)) {
            return;
        }
        const auto& m = records::declared<LuMetrics>();
        const auto percent = [&run](const ProcessorUse& use) {
            return 100.0 * use.idle / run.node_count;
        };
        add(measured.metrics, m.idle_percent, percent(processor_use(run.trace, whole, 1).front()));
        const std::vector<ProcessorUse> tenths = processor_use(run.trace, whole, kTenths);
        for (std::size_t i = 0; i < kTenths; ++i) {
            add(measured.metrics, m.idle_percent_tenth[i], percent(tenths[i]));
        }
        const double steps = run.pattern().operations_per_node;
        if (steps > 0.0) {
            add(measured.metrics, m.values_received_per_operation,
                values_received(run.trace) / steps / run.node_count);
        }
    }

    // Writes processors.csv: numbers of busy and idle processors over time.
    void write_tables(const TracedRun& run, const records::Measured& measured,
                      const std::filesystem::path& folder) const override {
        constexpr std::size_t kSlices = 200;
        const trace::CycleWindow whole = whole_time(measured);
        if (run.has_intervals() && whole.end > hw::Cycles(0)) {
            records::write_run_file(folder / "processors.csv",
                                    processor_use_table(processor_use(run.trace, whole, kSlices)));
        }
    }

    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        const auto& m = records::declared<LuMetrics>();
        records::Table table;
        table.columns = {records::text_column("point"), records::number_column("all")};
        for (std::size_t tenth = 1; tenth <= kTenths; ++tenth) {
            table.columns.push_back(records::number_column(std::to_string(tenth)));
        }
        for (const records::PointResult& point : result.points) {
            const auto cell = [&point](const records::Metric& metric) {
                const records::Estimate* idle = records::find_estimate(point, metric.name());
                return idle == nullptr ? records::absent_cell() : records::whole_cell(idle->mean);
            };
            std::vector<records::TableCell> row{records::text_cell(point.label),
                                                cell(m.idle_percent)};
            for (std::size_t tenth = 0; tenth < kTenths; ++tenth) {
                row.push_back(cell(m.idle_percent_tenth[tenth]));
            }
            table.rows.push_back(std::move(row));
        }
        if (!table.rows.front()[1].value) {
            return std::nullopt;
        }
        records::Section section;
        section.title = "Idle processors, per cent";
        for (const records::PointResult& point : result.points) {
            add_processors_figure(result, point, section);
        }
        section.blocks.emplace_back(std::move(table));
        section.blocks.emplace_back(
            records::Paragraph{"Shares are of the whole run, and of each tenth of it. Each run's "
                               "processors.csv has more detail."});
        return section;
    }

    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        return model == "logp" ? std::optional(logp(question)) : std::nullopt;
    }

  private:
    // The model of models/logp/lu.h takes g for each value; here a message has several values. The
    // model takes a cycle for an operation; here an update takes two loads, a store and
    // update_cycles. If a grid's elements are not spread evenly, the busiest processor of each step
    // counts.
    static double logp(Question& question) {
        const Facts facts = facts_of(question.facts);
        models::LuInputs inputs;
        inputs.machine = logp_machine(logp_inputs(question.inputs), question.machine);
        const double overheads = 2.0 * inputs.machine.overhead_cycles;
        const double message_cycles = std::max(inputs.machine.gap_cycles, overheads);
        // A step's first message also takes both overheads.
        inputs.machine.latency_cycles += overheads;
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
            throw models::ModelError("assumes a square grid of processors; here " +
                                     std::to_string(processors) + " is not a square");
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
