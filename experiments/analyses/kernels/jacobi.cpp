#include "firmware/kernels/jacobi/jacobi.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Jacobi::Facts, points, values, arithmetic_cycles, loop_cycles)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

using firmware::Jacobi;

struct JacobiMetrics final : records::MetricGroup {
    records::Metric row_exchange_cycles{
        *this, "row_exchange_cycles", "cycles",
        "Time of a node to exchange boundary rows in an iteration; mean of all nodes"};
};

class JacobiAnalysis final : public WithMetrics<JacobiMetrics, AnalysisOf<Jacobi>> {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &program_metrics().cycles_per_operation;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        const auto& m = records::declared<JacobiMetrics>();
        const MarkedTime exchange =
            marked_time(run.trace, Jacobi::kExchangeBegins, Jacobi::kExchangeEnds);
        if (exchange.spans > 0) {
            add(measured.metrics, m.row_exchange_cycles,
                exchange.cycles / static_cast<double>(exchange.spans));
        }
    }

    // Iteration of a node with two neighbours. The node computes the points of its strip one after
    // the other. Then the node sends both boundary rows, a message for each value, while as many
    // messages arrive. The last arrives L after its send, as in a remap of LogP Section 4.1.4.
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model != "logp") {
            return std::nullopt;
        }
        if (question.pattern.body_bytes > 0.0) {
            return only_short_messages(question);
        }
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const MachineView& machine = question.machine;
        const Facts facts = facts_of(question.facts);
        const double interval = std::max(
            logp_processor_interval(logp, machine.double_load_cycles + facts.loop_cycles, machine),
            machine.gap_cycles);
        const double exchange = facts.values * interval + logp.latency_cycles;
        const double relaxation =
            facts.points * (facts.arithmetic_cycles + 3.0 * machine.double_load_cycles +
                            machine.double_store_cycles);
        const double iterations = question.pattern.operations_per_node;
        add(question.details, model_metrics().communication_cycles, iterations * exchange);
        add(question.details, model_metrics().computation_cycles, iterations * relaxation);
        add(question.details, records::declared<JacobiMetrics>().row_exchange_cycles, exchange);
        return iterations * (relaxation + exchange);
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> jacobi_analysis() { return std::make_unique<JacobiAnalysis>(); }

}  // namespace weir::experiments::analyses
