#include "firmware/kernels/multithread/multithread.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Multithread::Facts, threads, work_cycles)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class MultithreadAnalysis final : public AnalysisOf<firmware::Multithread> {
  public:
    // Remote reads by V threads of each node (LogP Section 3.2). A read takes (2L + 4o + work)/V,
    // because V reads overlap. Two lower bounds apply. The processor is busy for 4o and work: the
    // overheads of its own read and of another node's. And a node's two messages for a read take 2
    // g.
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model != "logp") {
            return std::nullopt;
        }
        const Facts facts = facts_of(question.facts);
        const models::LogpMachine machine =
            logp_machine(logp_inputs(question.inputs), question.machine);
        const double busy = 4.0 * machine.overhead_cycles + facts.work_cycles;
        const double turn = 2.0 * machine.latency_cycles + busy;
        return question.pattern.operations_per_node *
               std::max({turn / facts.threads, busy, 2.0 * machine.gap_cycles});
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> multithread_analysis() {
    return std::make_unique<MultithreadAnalysis>();
}

}  // namespace weir::experiments::analyses
