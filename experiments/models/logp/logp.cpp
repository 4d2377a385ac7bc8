#include "experiments/models/logp/logp.h"

namespace weir::experiments::models {
namespace {

void check(const LogpInputs& inputs) {
    require_quantity("latency_cycles (L)", inputs.latency_cycles);
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles);
    require_quantity("receive_overhead_cycles (o_r)", inputs.receive_overhead_cycles);
}

}  // namespace

double logp_message_cycles(const LogpInputs& inputs) {
    check(inputs);
    return inputs.send_overhead_cycles + inputs.latency_cycles + inputs.receive_overhead_cycles;
}

double logp_round_trip_cycles(const LogpInputs& inputs, double work_cycles) {
    require_quantity("work_cycles (W)", work_cycles);
    return work_cycles + 2.0 * logp_message_cycles(inputs);
}

double logp_asynchronous_iteration_cycles(const LogpInputs& inputs) {
    check(inputs);
    return inputs.send_overhead_cycles + inputs.receive_overhead_cycles;
}

}  // namespace weir::experiments::models
