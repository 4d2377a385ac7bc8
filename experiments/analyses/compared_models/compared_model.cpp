#include "experiments/analyses/compared_models/compared_model.h"

#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

models::LogpInputs logp_inputs(Inputs& inputs) {
    return {inputs.take("latency_cycles"), inputs.take("send_overhead_cycles"),
            inputs.take("receive_overhead_cycles")};
}

void require_all_to_all(const Question& question) {
    if (question.pattern.servers > 0.0) {
        throw models::ModelError("assumes that all nodes ask each other; here clients ask servers");
    }
}

void require_one_visit(const Question& question) {
    if (question.pattern.visits_per_request > 1.0) {
        throw models::ModelError("assumes requests that visit one node; here they visit several");
    }
}

void require_handlers_that_interrupt(const MachineView& machine) {
    if (machine.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError(
            "assumes handlers that interrupt the thread; here the thread polls");
    }
    if (machine.receive_mode == nodes::ReceiveMode::kProtocolProcessor) {
        throw models::ModelError(
            "assumes handlers that interrupt the thread; here they run on a protocol processor");
    }
}

double only_with_replies(const Question& /*question*/) {
    throw models::ModelError("assumes threads that wait for replies; here no thread waits");
}

double only_short_messages(const Question& /*question*/) {
    throw models::ModelError("assumes short messages; here they have bodies");
}

double only_long_messages(const Question& /*question*/) {
    throw models::ModelError("assumes long messages; here they have no bodies");
}

double only_shared_reads(const Question& /*question*/) {
    throw models::ModelError("applies to reads of shared memory; here programs send messages");
}

double only_several_requests(const Question& /*question*/) {
    throw models::ModelError(
        "applies to nodes with several outstanding requests; here each has one");
}

double only_one_request(const Question& /*question*/) {
    throw models::ModelError(
        "assumes threads that wait for each reply; here a thread has several outstanding requests");
}

double only_a_steady_state(const Question& /*question*/) {
    throw models::ModelError("applies to a steady state; here a whole program is measured");
}

double not_this_pipeline(const Question& /*question*/) {
    throw models::ModelError("applies to Diamond DAG; here another program runs");
}

double not_this_program(const Question& /*question*/) {
    throw models::ModelError("does not apply to this program");
}

}  // namespace weir::experiments::analyses
