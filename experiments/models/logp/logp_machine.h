#pragma once

#include <cstdint>
#include <string>

#include "experiments/models/model_input.h"

/// The abstract machine of LogP: P processors, each with a memory, joined by a network that is
/// described by three times.
///
/// Source: Culler et al., "LogP: Towards a Realistic Model of Parallel Computation" (1993),
/// section 3.
///
/// A send keeps its processor busy for o. The message arrives L later; its reception keeps the
/// destination's processor busy for o. Two sends of a processor, and two receptions, start at least
/// g apart. At most ceil(L/g) messages are in flight from any processor or to any processor; a send
/// beyond that stalls. A local operation takes one cycle.
///
/// The unit of time is free: cycles here, or microseconds if all times are given in microseconds.
namespace weir::experiments::models {

class Model;

/// Beginning of the source that the LogP models name; a section follows.
inline const std::string kLogpPaper = "Culler et al., LogP (1993), ";

/// Limit of P: schedules list every message.
constexpr int kLogpMostProcessors = 65536;

struct LogpMachine {
    double latency_cycles = kNotGiven;   ///< L
    double overhead_cycles = kNotGiven;  ///< o, the same for sending and receiving
    double gap_cycles = kNotGiven;       ///< g
    int processors = 0;                  ///< P: number of processors, 1 to kLogpMostProcessors
};

/// Throws ModelError unless every parameter is in range.
void require_logp_machine(const LogpMachine& machine);

/// Time from the start of a send to the end of the reception: L + 2o.
double logp_delivery_cycles(const LogpMachine& machine);

/// Least time between the starts of two sends, or two receptions, of a processor: max(g, o). The
/// paper mostly assumes g >= o.
double logp_send_interval_cycles(const LogpMachine& machine);

/// Time between two messages of a processor that receives as many as it sends: max(g, 2o). The
/// paper mostly assumes g >= 2o.
double logp_exchange_interval_cycles(const LogpMachine& machine);

// A PRAM (P processors in lockstep on one memory) is this machine with L = o = g = 0 (section 6.1).
// The paper prints no step counts. The models' pram_steps are those of the textbook algorithms on P
// processors; a step is an addition, a butterfly node or an arithmetic operation.

/// log2 of a power of two.
int logarithm_of_power_of_two(std::int64_t power);

/// Smallest k with 2^k >= count.
int rounds_of_doubling(std::int64_t count);

[[nodiscard]] bool is_power_of_two(std::int64_t count);

/// ceil(dividend / divisor), for dividend >= 0 and divisor > 0.
constexpr std::int64_t quotient_rounded_up(std::int64_t dividend, std::int64_t divisor) {
    return (dividend + divisor - 1) / divisor;
}

/// Declares the inputs L, o, g and P, which the models of LogP's algorithms share.
void declare_logp_machine(Model& model, LogpMachine& machine);

/// Note of a model whose equations contain g alone.
inline constexpr const char* kOverheadForGap =
    "2o is longer than g, so 2o replaces g in the equations shown.";

constexpr bool overhead_takes_the_gaps_place(const LogpMachine& machine) {
    return 2.0 * machine.overhead_cycles > machine.gap_cycles;
}

}  // namespace weir::experiments::models
