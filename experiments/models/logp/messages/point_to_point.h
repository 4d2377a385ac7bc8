#pragma once

#include <optional>

#include "experiments/models/logp/logp.h"

/// LogP, point to point, with the gap: a message, a remote read, prefetches, and how many may be
/// under way.
///
/// Source: Culler et al. (1993), sections 3 and 3.2. The paper has one overhead o for sending and
/// for receiving; here they may differ, and o_s = o_r = o gives the paper's formulas.
///
/// Times are cycles, 0 to 1e15; anything else is a ModelError.
namespace weir::experiments::models {

struct LogpPointToPointInputs {
    LogpInputs message;             ///< L, o_s, o_r
    double gap_cycles = kNotGiven;  ///< g
};

struct LogpPointToPoint {
    double message_cycles;            ///< o_s + L + o_r
    double remote_read_cycles;        ///< 2L + 4o: request and reply
    double prefetch_overhead_cycles;  ///< 2o: request sent and reply taken
    double prefetch_interval_cycles;  ///< g, or 2o where the processor is slower than the network
    /// ceil(L/g), messages on their way from or to a processor. No limit where g is 0.
    std::optional<double> capacity_messages;
    /// L/g: virtual processors that can wait for a message each. No limit where g is 0.
    std::optional<double> multithreading_limit;
};

LogpPointToPoint solve_logp_point_to_point(const LogpPointToPointInputs& inputs);

}  // namespace weir::experiments::models
