#include "experiments/analyses/compared_models/logp.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/kernels/remap.h"
#include "experiments/analyses/patterns/iterations.h"

namespace weir::experiments::analyses {

namespace {

// LogP has no queues. A round trip takes the longer of its unloaded time and the servers' time for
// all clients' round trips (LoPC Section 5's bounds).
double client_server_turn(const models::LogpInputs& logp, double work_cycles, Question& question) {
    const double servers = question.pattern.servers;
    const double clients = question.machine.processors() - servers;
    const double service = logp.receive_overhead_cycles + logp.send_overhead_cycles;
    const double turn =
        std::max(models::logp_round_trip_cycles(logp, work_cycles), clients * service / servers);
    add(question.details, iteration_metrics().requests_per_cycle, clients / turn);
    return turn;
}

// Time of a round trip: the work, and one after the other the messages of a request, one for each
// visit, and the reply.
double logp_round_trip(Question& question) {
    const models::LogpInputs logp = logp_inputs(question.inputs);
    const double work = question.inputs.take("work_cycles");
    if (question.pattern.servers > 0.0) {
        return client_server_turn(logp, work, question);
    }
    const double two_messages = models::logp_round_trip_cycles(logp, 0.0);
    return work + (question.pattern.visits_per_request + 1.0) * two_messages / 2.0;
}

// Round trips that overlap: as for several threads of a node (LogP Section 3.2). The processor is
// busy with the work, and with the overheads of its own request and of another node's. A protocol
// processor runs the handlers of both.
double logp_several_requests(Question& question) {
    require_all_to_all(question);
    require_one_visit(question);
    const models::LogpInputs logp = logp_inputs(question.inputs);
    const double work = question.inputs.take("work_cycles");
    const double thread = work + logp.send_overhead_cycles;
    const double handlers = logp.send_overhead_cycles + 2.0 * logp.receive_overhead_cycles;
    const double busy = question.machine.receive_mode == nodes::ReceiveMode::kProtocolProcessor
                            ? std::max(thread, handlers)
                            : thread + handlers;
    return std::max(
        {models::logp_round_trip_cycles(logp, work) / question.pattern.outstanding_requests, busy,
         2.0 * question.machine.gap_cycles});
}

}  // namespace

// Without replies no queueing costs a processor time (LoGPC Section 5.1.2). A protocol processor
// receives while the thread sends, so the slower of the two limits the rate.
double logp_processor_interval(const models::LogpInputs& logp, double work_cycles,
                               const MachineView& machine) {
    return machine.receive_mode == nodes::ReceiveMode::kProtocolProcessor
               ? std::max(work_cycles + logp.send_overhead_cycles, logp.receive_overhead_cycles)
               : work_cycles + models::logp_asynchronous_iteration_cycles(logp);
}

// If the network has a gap g and all nodes send in the same order, nodes that wait for a
// destination take turns, g apart. Each message of a node then takes P/2 times g (LogP Section
// 4.1.2; naive_remap_in_turn_cycles of models/logp/algorithms/fft.cpp).
double logp_one_way(Question& question) {
    const models::LogpInputs logp = logp_inputs(question.inputs);
    const MachineView& machine = question.machine;
    const double turns = question.pattern.has_same_order ? machine.processors() / 2.0 : 1.0;
    const double iteration =
        std::max(logp_processor_interval(logp, question.inputs.take("work_cycles"), machine),
                 turns * machine.gap_cycles);
    const double iterations = question.pattern.iterations;
    if (iterations > 0.0 && machine.gap_cycles > 0.0) {
        add(question.details, remap_metrics().whole_run_cycles,
            iterations * iteration + logp.latency_cycles);
    }
    return iteration;
}

models::LogpMachine logp_machine(const models::LogpInputs& logp, const MachineView& machine) {
    return {.latency_cycles = logp.latency_cycles,
            .overhead_cycles = (logp.send_overhead_cycles + logp.receive_overhead_cycles) / 2.0,
            .gap_cycles = machine.gap_cycles,
            .processors = machine.processors()};
}

ComparedModel logp_compared() {
    return {.name = "logp",
            .sentence = "LogP: no contention",
            .round_trip = logp_round_trip,
            .one_way = logp_one_way,
            .several_requests = logp_several_requests,
            .program = not_this_program,
            .fitted = fitted_logp(),
            .terms = logp_terms};
}

// For messages of one size, PLogP is LogP with the parameters of this size.
ComparedModel plogp_compared() {
    ComparedModel model = logp_compared();
    model.name = "plogp";
    model.sentence = "PLogP: LogP with parameters by the size of messages";
    model.fitted = fitted_plogp();
    return model;
}

}  // namespace weir::experiments::analyses
