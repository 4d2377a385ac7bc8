#include "firmware/kernels/all_pairs_exchange/all_pairs_exchange.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/compared_models/logpc.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/programs.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(AllPairsExchange::Facts, sent_bytes)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

struct AllPairsExchangeMetrics final : records::MetricGroup {
    records::Metric exchange_bytes_per_cycle{
        *this, "exchange_bytes_per_cycle", "bytes/cycle",
        "Data rate of a node: bytes sent divided by the makespan", "LogP Figure 8"};
};

class AllPairsExchangeAnalysis final
    : public WithMetrics<AllPairsExchangeMetrics, AnalysisOf<firmware::AllPairsExchange>> {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &program_metrics().cycles_per_operation;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        const auto& m = records::declared<AllPairsExchangeMetrics>();
        if (const auto makespan =
                records::find_metric(measured.metrics, program_metrics().makespan_cycles)) {
            add(measured.metrics, m.exchange_bytes_per_cycle,
                facts_of(run.facts).sent_bytes / *makespan);
        }
    }

    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        const double exchanges = question.pattern.operations_per_node;
        if (model == "logp") {
            return exchanges * logp(question);
        }
        if (model == "loggp" && question.machine.bodies_block()) {
            return exchanges * loggp(question);
        }
        return std::nullopt;
    }

    void add_to(records::Prediction& prediction, double answer,
                const nlohmann::ordered_json& facts) const override {
        add(prediction.metrics,
            records::declared<AllPairsExchangeMetrics>().exchange_bytes_per_cycle,
            facts_of(facts).sent_bytes / answer);
    }

  private:
    // An exchange that all nodes begin together, without the cost of barriers. A node sends P - 1
    // messages and receives as many, g apart; the last arrives L after its send (LogP Section
    // 4.1.1). In the naive order the last destination's first message follows P - 2 others of its
    // sender, then P - 1 arrive. This is the least time of that order (naive_remap_least_cycles of
    // models/logp/algorithms/fft.cpp).
    static double logp(Question& question) {
        if (question.pattern.body_bytes > 0.0) {
            return only_short_messages(question);
        }
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const MachineView& machine = question.machine;
        const double messages = machine.processors() - 1.0;
        const double gaps = question.pattern.has_same_order ? 2.0 * messages - 1.0 : messages;
        return std::max(messages * logp_processor_interval(logp, 0.0, machine),
                        gaps * machine.gap_cycles) +
               logp.latency_cycles;
    }

    // Long messages in any order: the network's gap is G, and there is no contention (LoGPC Section
    // 5.1.3).
    static double loggp(Question& question) {
        if (question.pattern.body_bytes == 0.0) {
            return only_long_messages(question);
        }
        const models::LogpcRemap remap =
            long_remap(question, channel_cycles_per_byte(true, question.machine));
        return (question.machine.processors() - 1.0) * remap.exact_iteration_cycles +
               question.inputs.take("first_byte_latency_cycles");
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> all_pairs_exchange_analysis() {
    return std::make_unique<AllPairsExchangeAnalysis>();
}

}  // namespace weir::experiments::analyses
