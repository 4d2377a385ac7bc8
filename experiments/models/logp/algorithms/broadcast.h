#pragma once

#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// Broadcast of one datum from processor 0 to all others under LogP.
///
/// Source: Culler et al. (1993), section 3.3 and Figure 3. In the optimal broadcast every processor
/// that has the datum sends it on as often as it can, to processors that nobody else sends to: it
/// has the datum at time t, and sends at t, t + g, t + 2g, ...; each receiver has it L + 2o later.
/// Where g < o, a processor can send only every o. The paper gives the optimal tree; the other
/// trees, for comparison, follow from the same rules.
///
/// Times are cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

struct BroadcastSend {
    int from;
    int to;
    double send_cycle;      ///< the sender starts its overhead
    double receive_cycle;   ///< the receiver starts its overhead: o + L later
    double informed_cycle;  ///< the receiver can send the datum on: o later again
};

struct BroadcastSchedule {
    double finish_cycles = 0.0;        ///< the last processor has the datum
    std::vector<BroadcastSend> sends;  ///< P - 1 of them, in the order the receivers are numbered
    std::vector<double> informed_cycles;  ///< a processor; 0 for the source
};

/// Ends first of all broadcasts. Processors are numbered in the order in which they are reached.
BroadcastSchedule logp_optimal_broadcast(const LogpMachine& machine);

/// Every processor sends to two others: i to 2i + 1 and 2i + 2.
BroadcastSchedule logp_binary_tree_broadcast(const LogpMachine& machine);

/// The source sends to all others itself.
BroadcastSchedule logp_flat_broadcast(const LogpMachine& machine);

/// In round j = 0, 1, ..., processor i < 2^j sends to i + 2^j, as soon as it can and without
/// waiting for the round.
BroadcastSchedule logp_binomial_broadcast(const LogpMachine& machine);

}  // namespace weir::experiments::models
