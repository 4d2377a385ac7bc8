#include "firmware/kernels/diamond_dag/diamond_dag.h"

#include <string>

#include "experiments/analyses/compared_models/logpc.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/models/logpc/diamond_dag.h"
#include "experiments/models/model_error.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(DiamondDag::Facts, rows, columns, blocks, task_cycles,
                 aggregation_cycles_per_value)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

class DiamondDagAnalysis final : public AnalysisOf<firmware::DiamondDag> {
  public:
    // LoGPC Section 5.2.1: M, the time to evaluate the whole DAG.
    void measure(const TracedRun& run, records::Measured& measured) const override {
        measure_makespan(run, "dag begins", "dag ends", measured);
    }

    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model == "loggp") {
            const models::DiamondDag dag = models::solve_diamond_dag(inputs(question));
            add(question.details, model_metrics().communication_to_computation,
                dag.communication_to_computation);
            return dag.makespan_cycles;
        }
        if (model == "logpc" || model == "logpc_cycles") {
            return with_contention(question,
                                   channel_cycles_per_byte(model == "logpc", question.machine));
        }
        return std::nullopt;
    }

  private:
    static models::DiamondDagInputs inputs(Question& question) {
        // (15) has no interrupts: a stripe receives an edge when it waits for it.
        if (question.machine.receive_mode != nodes::ReceiveMode::kPolling) {
            require_handlers_that_interrupt(question.machine);
        }
        require_waits_for_bodies(question.machine);
        const Facts facts = facts_of(question.facts);
        if (facts.rows != facts.columns) {
            throw models::ModelError("assumes a DAG with as many rows as columns; here it has " +
                                     std::to_string(static_cast<std::int64_t>(facts.rows)) +
                                     " and " +
                                     std::to_string(static_cast<std::int64_t>(facts.columns)));
        }
        models::DiamondDagInputs dag;
        dag.processors = question.machine.processors();
        dag.tasks_per_side = static_cast<int>(facts.rows);
        dag.blocks = static_cast<int>(facts.blocks);
        dag.task_cycles = facts.task_cycles;
        dag.aggregation_cycles_per_value = facts.aggregation_cycles_per_value;
        dag.message_bytes = question.inputs.take("message_bytes");
        dag.send_overhead_cycles = question.inputs.take("long_send_overhead_cycles");
        dag.latency_cycles = question.inputs.take("first_byte_latency_cycles");
        dag.gap_cycles_per_byte = question.machine.channel_cycles_per_byte;
        dag.header_bytes = kHeaderBytes;
        return dag;
    }

    // The mapping enters as the mean distance of messages.
    static double with_contention(Question& question, double channel_cycles_per_byte) {
        const models::DiamondDagInputs dag = inputs(question);
        models::LogpcNetworkInputs network =
            logpc_network_inputs(question, channel_cycles_per_byte);
        network.mean_distance_per_dimension =
            question.inputs.take("mean_hops") / network.dimensions;
        const models::DiamondDagContention contention =
            models::solve_diamond_dag_contention(dag, network);
        add(question.details, iteration_metrics().network_contention_cycles,
            contention.network.contention_cycles);
        return contention.makespan_cycles;
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> diamond_dag_analysis() {
    return std::make_unique<DiamondDagAnalysis>();
}

}  // namespace weir::experiments::analyses
