#include "firmware/kernels/broadcast/broadcast.h"

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/logp/algorithms/broadcast.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Broadcast::Facts, tree)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

double finish_cycles(const models::LogpMachine& machine, firmware::TreeKind tree) {
    switch (tree) {
        case firmware::TreeKind::kOptimal:
            return models::logp_optimal_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kBinary:
            return models::logp_binary_tree_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kBinomial:
            return models::logp_binomial_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kFlat:
            return models::logp_flat_broadcast(machine).finish_cycles;
    }
    return 0.0;
}

class BroadcastAnalysis final : public AnalysisOf<firmware::Broadcast> {
  public:
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model != "logp") {
            return std::nullopt;
        }
        return finish_cycles(logp_machine(logp_inputs(question.inputs), question.machine),
                             facts_of(question.facts).tree);
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> broadcast_analysis() {
    return std::make_unique<BroadcastAnalysis>();
}

}  // namespace weir::experiments::analyses
