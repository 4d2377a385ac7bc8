#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// Broadcast of one datum from processor 0 to all others under LogP.
///
/// Source: Culler et al. (1993), section 3.3 and Figure 3. In the optimal broadcast, every
/// processor that has the datum keeps sending it to processors that do not yet have it. A processor
/// informed at time t sends at t, t + g, t + 2g, ...; each receiver is informed L + 2o after its
/// send. Where g < o, a processor sends every o instead. The paper gives the optimal tree; the
/// other trees, for comparison, follow from the same rules.
///
/// Times are cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

struct BroadcastSend {
    int from;
    int to;
    double send_cycle;      ///< start of the sender's overhead
    double receive_cycle;   ///< start of the receiver's overhead: send_cycle + o + L
    double informed_cycle;  ///< end of the receiver's overhead: receive_cycle + o
};

struct BroadcastSchedule {
    double finish_cycles = 0.0;        ///< time at which the last processor has the datum
    std::vector<BroadcastSend> sends;  ///< P - 1 sends, in the order of the receivers' numbers
    /// Time at which each processor has the datum; 0 for the source.
    std::vector<double> informed_cycles;
};

/// The broadcast with the earliest finish. Processors are numbered in the order they are informed.
BroadcastSchedule logp_optimal_broadcast(const LogpMachine& machine);

/// Every processor sends to two others: i to 2i + 1 and 2i + 2.
BroadcastSchedule logp_binary_tree_broadcast(const LogpMachine& machine);

/// The source sends to all others itself.
BroadcastSchedule logp_flat_broadcast(const LogpMachine& machine);

/// Binomial tree: in round j = 0, 1, ..., processor i < 2^j sends to i + 2^j. Each processor sends
/// as soon as it can; rounds are not synchronised.
BroadcastSchedule logp_binomial_broadcast(const LogpMachine& machine);

/// Finish of a broadcast along a given tree, on a machine whose two overheads differ. A processor
/// informed at time t sends to its children at t, t + i, t + 2i, ... with the interval
/// i = max(g, o_s). Each child is informed after `delivery_cycles`: o_s + L + o_r.
///
/// `children` has the children of each processor, in the order of sending. A child's number is
/// above its parent's, and processor 0 is the source.
[[nodiscard]] double logp_tree_broadcast_cycles(
    const std::vector<std::vector<std::int32_t>>& children, double send_interval_cycles,
    double delivery_cycles);

}  // namespace weir::experiments::models
