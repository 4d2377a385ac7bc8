#include <algorithm>

#include "experiments/analyses/compared_models/logpc.h"
#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/models/logpc/loggp_long_message.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::analyses {

namespace {

models::LoggpMachine loggp_machine(Question& question) {
    models::LoggpMachine machine;
    machine.send_overhead_cycles = question.inputs.take("long_send_overhead_cycles");
    machine.latency_cycles = question.inputs.take("first_byte_latency_cycles");
    machine.receive_overhead_cycles = question.inputs.take("long_receive_overhead_cycles");
    machine.gap_cycles_per_byte = question.machine.channel_cycles_per_byte;
    machine.memory_gap_cycles_per_byte = question.machine.memory_cycles_per_byte;
    machine.header_bytes = kHeaderBytes;
    return machine;
}

// LoGPC Figure 3: the input queue must hold all bytes that arrive between the header and the start
// of the DMA, or the network stops. Then the queue drains at the difference of the rates.
void say_input_queue(double header_to_dma, double message_bytes, Question& question) {
    const MachineView& machine = question.machine;
    const SingleMessageMetrics& m = single_message_metrics();
    const double rate = 1.0 / machine.channel_cycles_per_byte;
    const double arrived = std::min(kHeaderBytes + rate * header_to_dma, message_bytes);
    add(question.details, m.input_queue_peak_bytes, std::min(arrived, machine.input_queue_bytes));
    add(question.details, long_message_metrics().network_stopped_cycles,
        std::max(0.0, arrived - machine.input_queue_bytes) / rate);
    add(question.details, m.input_queue_drained_bytes_per_cycle,
        1.0 / machine.memory_cycles_per_byte - rate);
}

double single_message(Question& question, double notify_cycles) {
    require_handlers_that_interrupt(question.machine);
    const SingleMessageMetrics& m = single_message_metrics();
    models::LoggpMachine machine = loggp_machine(question);
    machine.receive_overhead_cycles += notify_cycles;
    const double bytes = question.inputs.take("message_bytes");
    const models::LoggpLongMessage message = models::solve_loggp_long_message(machine, bytes);
    add(question.details, m.sender_cycles, message.sender_cycles);
    add(question.details, m.bandwidth_bytes_per_cycle, message.bytes_per_cycle);
    say_input_queue(question.inputs.take("header_to_dma_cycles"), bytes, question);
    if (const auto crossover = models::loggp_bandwidth(machine).crossover_bytes) {
        add(question.details, m.crossover_bytes, *crossover);
    }
    return message.end_to_end_cycles;
}

[[noreturn]] double only_one_message(const Question& /*question*/) {
    throw models::ModelError("applies to one message alone; here many are in flight");
}

}  // namespace

models::LogpcRemap long_remap(Question& question, double channel_cycles_per_byte) {
    require_blocking_bodies(question.machine);
    models::LogpcRemapInputs remap;
    remap.send_overhead_cycles = question.inputs.take("long_send_overhead_cycles");
    remap.header_bytes = kHeaderBytes;
    remap.gap_cycles_per_byte = question.machine.channel_cycles_per_byte;
    remap.network = logpc_network_inputs(question, channel_cycles_per_byte);
    return models::solve_logpc_long_remap(remap);
}

ComparedModel loggp_compared() {
    return {.name = "loggp",
            .sentence = "LogGP: long messages without contention",
            .round_trip = only_long_messages,
            .one_way = only_long_messages,
            .long_one_way =
                [](Question& question) {
                    return long_remap(question, channel_cycles_per_byte(true, question.machine))
                        .exact_iteration_cycles;
                },
            .single = [](Question& question) { return single_message(question, 0.0); },
            .pipeline = [](Question& question) -> double {
                require_blocking_bodies(question.machine);
                not_this_pipeline(question);
            },
            .program = [](Question& question) { return loggp_terms(question).cycles(); },
            .fitted = fitted_loggp(),
            .terms = loggp_terms};
}

ComparedModel loggp_notify_compared() {
    return {.name = "loggp_notify",
            .sentence = "LogGP with the notify delay as part of o_rl",
            .round_trip = only_long_messages,
            .one_way = only_long_messages,
            .long_one_way = only_one_message,
            .single =
                [](Question& question) {
                    return single_message(question, question.machine.notify_cycles);
                },
            .pipeline = only_one_message,
            .fitted = fitted_loggp()};
}

}  // namespace weir::experiments::analyses
