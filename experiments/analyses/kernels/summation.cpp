#include "firmware/kernels/summation/summation.h"

#include <cmath>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/logp/algorithms/summation.h"
#include "experiments/models/model_error.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Summation::Facts, tree, values)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class SummationAnalysis final : public AnalysisOf<firmware::Summation> {
  public:
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model != "logp") {
            return std::nullopt;
        }
        const models::LogpMachine machine =
            logp_machine(logp_inputs(question.inputs), question.machine);
        const models::SummationMachine summing{
            .latency_cycles = std::llround(machine.latency_cycles),
            .overhead_cycles = std::llround(machine.overhead_cycles),
            .gap_cycles = std::llround(machine.gap_cycles),
            .processors = machine.processors};
        const Facts facts = facts_of(question.facts);
        switch (facts.tree) {
            case firmware::TreeKind::kOptimal:
                return static_cast<double>(
                    models::logp_least_summation_cycles(summing, facts.values));
            case firmware::TreeKind::kBinomial:
                return static_cast<double>(
                    models::logp_binomial_summation_cycles(summing, facts.values));
            default:
                throw models::ModelError("has times for the optimal and the binomial tree only");
        }
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> summation_analysis() {
    return std::make_unique<SummationAnalysis>();
}

}  // namespace weir::experiments::analyses
