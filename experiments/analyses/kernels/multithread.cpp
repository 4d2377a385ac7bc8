#include "firmware/kernels/multithread/multithread.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/registry.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Multithread::Facts, threads, work_cycles)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class MultithreadAnalysis final : public AnalysisOf<firmware::Multithread> {
  public:
    // Remote reads by V threads of each node (LogP Section 3.2): each takes 2L + 4o and its work, V
    // of them at a time, but no less than the processor is busy for, its own and another's read, 4o
    // and work, and no less than two messages' gaps.
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
