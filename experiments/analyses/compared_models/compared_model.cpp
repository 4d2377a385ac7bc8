#include "experiments/analyses/compared_models/compared_model.h"

#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

const ModelMetrics& model_metrics() {
    static const ModelMetrics metrics;
    return metrics;
}

models::LogpInputs logp_inputs(Inputs& inputs) {
    return {inputs.take("latency_cycles"), inputs.take("send_overhead_cycles"),
            inputs.take("receive_overhead_cycles")};
}

void require_all_to_all(const Question& question) {
    if (question.pattern.servers > 0.0) {
        throw models::ModelError("its nodes all ask one another, and here clients ask servers");
    }
}

void require_one_visit(const Question& question) {
    if (question.pattern.visits_per_request > 1.0) {
        throw models::ModelError("its requests are replied to by the first node they visit");
    }
}

void require_handlers_that_interrupt(const MachineView& machine) {
    if (machine.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError("its handlers interrupt the thread, and here the thread polls");
    }
    if (machine.receive_mode == nodes::ReceiveMode::kProtocolProcessor) {
        throw models::ModelError(
            "its handlers interrupt the thread, and here they run on a protocol processor");
    }
}

double only_with_replies(const Question& /*question*/) {
    throw models::ModelError("its threads wait for replies, and here nobody waits");
}

double only_short_messages(const Question& /*question*/) {
    throw models::ModelError("its messages are short, and here they have bodies");
}

double only_long_messages(const Question& /*question*/) {
    throw models::ModelError("its messages are long, and here they have no bodies");
}

double only_shared_reads(const Question& /*question*/) {
    throw models::ModelError("it speaks of reads of shared memory, and here are messages");
}

double only_a_steady_state(const Question& /*question*/) {
    throw models::ModelError("it speaks of a steady state, and here is a program of its own");
}

double not_this_pipeline(const Question& /*question*/) {
    throw models::ModelError("it speaks of Diamond DAG, and here is another program");
}

double not_this_program(const Question& /*question*/) {
    throw models::ModelError("it is not asked about this program");
}

}  // namespace weir::experiments::analyses
