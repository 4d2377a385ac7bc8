#include "firmware/kernels/broadcast/broadcast.h"

#include <algorithm>
#include <cmath>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/logp/algorithms/broadcast.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Broadcast::Facts, tree, tree_latency_cycles, tree_overhead_cycles, tree_gap_cycles)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class BroadcastAnalysis final : public AnalysisOf<firmware::Broadcast> {
  public:
    // Finish of the tree along which the program sends. It is optimal for the workload's L, o and
    // g, which need not be those of the machine.
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model != "logp") {
            return std::nullopt;
        }
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const Facts facts = facts_of(question.facts);
        const auto children = firmware::broadcast_tree(
            facts.tree, {.latency = hw::Cycles(facts.tree_latency_cycles),
                         .overhead = hw::Cycles(facts.tree_overhead_cycles),
                         .gap = hw::Cycles(facts.tree_gap_cycles),
                         .nodes = question.machine.processors()});
        const double delivery = models::logp_message_cycles(logp);
        return std::isnan(delivery)  // the trace lacks an input
                   ? delivery
                   : models::logp_tree_broadcast_cycles(
                         children, std::max(question.machine.gap_cycles, logp.send_overhead_cycles),
                         delivery);
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> broadcast_analysis() {
    return std::make_unique<BroadcastAnalysis>();
}

}  // namespace weir::experiments::analyses
