#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// The abstract LogP machine of Culler et al. (1993), section 3, as the tests' second way: it looks
/// at a schedule message by message, or runs processors that send as soon as they may.
namespace weir::experiments::models {

struct TimedMessage {
    int from;
    int to;
    double send_cycle;     ///< the sender's overhead starts
    double receive_cycle;  ///< the receiver's overhead starts
};

struct TimedWork {
    int processor;
    double start_cycle;
    double end_cycle;
};

/// Every rule of the machine that these messages and this local work break; empty if none: latency,
/// one thing at a time on a processor, the gap between sends and between receptions, capacity.
std::vector<std::string> broken_rules(const LogpMachine& machine,
                                      const std::vector<TimedMessage>& messages,
                                      const std::vector<TimedWork>& work = {});

enum class Arbitration {
    kLongestWaiting,  ///< the processor gets it that could have sent first
    kLowestNumber,    ///< the lowest numbered processor gets it
};

/// Every processor sends to the destinations of its row, in that order, as soon as it may; it takes
/// what has arrived before it sends again. A send waits while ceil(L/g) messages are on their way
/// to its destination when it enters the network, or there and not yet taken. Whole cycles only.
/// Returns the cycle in which the last reception has ended.
std::int64_t run_sends(const LogpMachine& machine, const std::vector<std::vector<int>>& rows,
                       Arbitration arbitration);

}  // namespace weir::experiments::models
