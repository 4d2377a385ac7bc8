#include "experiments/models/logp/messages/point_to_point.h"

#include <algorithm>
#include <cmath>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

LogpPointToPoint solve_logp_point_to_point(const LogpPointToPointInputs& inputs) {
    require_quantity("gap_cycles (g)", inputs.gap_cycles, 0.0, "cycles");
    const double both_overheads = logp_asynchronous_iteration_cycles(inputs.message);
    LogpPointToPoint answer{
        .message_cycles = logp_message_cycles(inputs.message),
        .remote_read_cycles = logp_round_trip_cycles(inputs.message, 0.0),
        .prefetch_overhead_cycles = both_overheads,
        .prefetch_interval_cycles = std::max(inputs.gap_cycles, both_overheads),
        .capacity_messages = std::nullopt,
        .multithreading_limit = std::nullopt,
    };
    if (inputs.gap_cycles > 0.0) {
        answer.multithreading_limit = inputs.message.latency_cycles / inputs.gap_cycles;
        if (!std::isfinite(*answer.multithreading_limit)) {
            throw ModelError("gap_cycles (g) is " + shortest_text(inputs.gap_cycles),
                             "0, or enough for L/g to be a number");
        }
        answer.capacity_messages = std::ceil(*answer.multithreading_limit);
    }
    return answer;
}

}  // namespace weir::experiments::models
