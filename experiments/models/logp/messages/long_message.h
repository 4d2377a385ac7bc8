#pragma once

#include <cstdint>

#include "experiments/models/logp/logp_machine.h"

/// LogP for messages of many words: each small message pays the overhead again.
///
/// Source: Culler et al. (1993), section 5.4 (long messages: o is paid for every word or small
/// number of words; a second processor for them at best doubles a node), section 5.2 (the CM-5's
/// synchronous send), section 3.1 (o as large as g). The paper gives the first in words only; the
/// sum is that of a pipeline whose stages start max(g, o) apart.
namespace weir::experiments::models {

struct LogpLongMessage {
    double message_cycles;  ///< o + (k - 1) max(g, o) + L + o
    /// 3(L + 2o) + n g: a pair of messages first, then the data (CM-5, synchronous send).
    double synchronous_send_cycles;
    double processor_busy_cycles;  ///< k o at the sender, and as much at the receiver
    /// Work and sending on the node's one processor, the work filling the gaps.
    double one_processor_cycles;
    /// The same where a second processor of the node does the sending. Never less than half.
    double two_processors_cycles;
    /// The same on one processor if o is raised to g, so that g can be left out. Conservative by at
    /// most a factor of two.
    double overhead_as_gap_cycles;
};

/// `small_messages` (k, 1 to 1e12): what the network carries in one piece. `work_cycles`: what the
/// sending node has to compute besides.
LogpLongMessage solve_logp_long_message(const LogpMachine& machine, std::int64_t small_messages,
                                        double work_cycles);

}  // namespace weir::experiments::models
