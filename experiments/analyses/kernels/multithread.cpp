#include "firmware/kernels/multithread/multithread.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/logp.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/lopc/lopc_nonblocking.h"
#include "nodes/machine.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(Multithread::Facts, threads, work_cycles)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class MultithreadAnalysis final : public AnalysisOf<firmware::Multithread> {
  public:
    void measure(const TracedRun& run, records::Measured& measured) const override {
        if (facts_of(run.facts).threads > 1.0) {
            measured.model_inputs.emplace_back(
                "switch_cycles",
                static_cast<double>(run.machine.core.context_switch_cycles.value().count()));
        }
    }

    // Remote reads by V threads of each node (LogP Section 3.2). A read takes (2L + 4o + work)/V,
    // because V reads overlap. Two lower bounds apply. The processor is busy for 4o and work: the
    // overheads of its own read and of another node's. And a node's two messages for a read take 2
    // g.
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        const Facts facts = facts_of(question.facts);
        if (model == "lopc_nonblocking") {
            return question.pattern.operations_per_node * nonblocking_lopc(facts, question);
        }
        if (model != "logp") {
            return std::nullopt;
        }
        const models::LogpMachine machine =
            logp_machine(logp_inputs(question.inputs), question.machine);
        const double busy = 4.0 * machine.overhead_cycles + facts.work_cycles;
        const double turn = 2.0 * machine.latency_cycles + busy;
        return question.pattern.operations_per_node *
               std::max({turn / facts.threads, busy, 2.0 * machine.gap_cycles});
    }

  private:
    // Time of a node for each read. A thread sends, works, and leaves the core to another one.
    static double nonblocking_lopc(const Facts& facts, Question& question) {
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const double change = facts.threads > 1.0 ? question.inputs.take("switch_cycles") : 0.0;
        const bool is_beside =
            question.machine.receive_mode == nodes::ReceiveMode::kProtocolProcessor;
        return models::solve_lopc_nonblocking(
                   {.processors = question.machine.processors(),
                    .outstanding_requests = facts.threads,
                    .work_cycles = facts.work_cycles + logp.send_overhead_cycles + change,
                    .network_cycles = logp.latency_cycles,
                    .request_handler_cycles =
                        logp.receive_overhead_cycles + logp.send_overhead_cycles,
                    .reply_handler_cycles = logp.receive_overhead_cycles,
                    .protocol_processor = is_beside})
            .cycles_per_request;
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> multithread_analysis() {
    return std::make_unique<MultithreadAnalysis>();
}

}  // namespace weir::experiments::analyses
