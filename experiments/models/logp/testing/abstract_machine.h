#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// The abstract LogP machine of Culler et al. (1993), section 3, against which tests check the
/// models. The machine checks a schedule message by message, or runs processors that send as soon
/// as they may.
namespace weir::experiments::models {

struct TimedMessage {
    int from;
    int to;
    double send_cycle;     ///< start of the sender's overhead
    double receive_cycle;  ///< start of the receiver's overhead
};

struct TimedWork {
    int processor;
    double start_cycle;
    double end_cycle;
};

/// All rules of the machine that these messages and this local work break; empty if none. The
/// rules: latency, one activity at a time on a processor, gaps between sends and between
/// receptions, and capacity.
std::vector<std::string> broken_rules(const LogpMachine& machine,
                                      const std::vector<TimedMessage>& messages,
                                      const std::vector<TimedWork>& work = {});

enum class Arbitration {
    kLongestWaiting,  ///< the processor that has waited longest sends first
    kLowestNumber,    ///< the lowest numbered processor sends first
};

/// Every processor sends to the destinations of its row, in order, as soon as it may. A processor
/// receives arrived messages before it sends again. A send waits while ceil(L/g) messages to its
/// destination are in flight or not yet received. Times must be whole cycles. Returns the end of
/// the last reception.
std::int64_t run_sends(const LogpMachine& machine, const std::vector<std::vector<int>>& rows,
                       Arbitration arbitration);

}  // namespace weir::experiments::models
