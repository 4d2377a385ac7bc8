#pragma once

#include <cstdint>
#include <string>

#include "experiments/models/model_input.h"

/// The abstract machine of LogP: P processors, each with a memory, joined by a network of which
/// only three times are known.
///
/// Source: Culler et al., "LogP: Towards a Realistic Model of Parallel Computation" (1993),
/// section 3.
///
/// A send keeps its processor busy for o; L later the message is at its destination, where taking
/// it keeps that processor busy for o again. Between two sends of a processor, and between two
/// receptions, at least g goes by. At most ceil(L/g) messages are on their way from any processor
/// or to any processor; a send beyond that stalls. A local operation takes one cycle.
///
/// The unit of time is free: cycles here, microseconds if every time is given in microseconds.
namespace weir::experiments::models {

class Model;

/// How the models name their source; a section follows.
inline const std::string kLogpPaper = "Culler et al., LogP (1993), ";

/// Schedules are written out message by message, so there is a limit to P.
constexpr int kLogpMostProcessors = 65536;

struct LogpMachine {
    double latency_cycles = kNotGiven;   ///< L
    double overhead_cycles = kNotGiven;  ///< o: sending and receiving alike
    double gap_cycles = kNotGiven;       ///< g
    int processors = 0;                  ///< P, 1 to kLogpMostProcessors
};

/// ModelError unless every parameter is in range.
void require_logp_machine(const LogpMachine& machine);

/// From the start of a send to the end of the reception: L + 2o.
double logp_delivery_cycles(const LogpMachine& machine);

/// Between the starts of two sends of one processor, or of two receptions: max(g, o). The paper
/// mostly takes g >= o.
double logp_send_interval_cycles(const LogpMachine& machine);

/// Between two messages of a processor that receives as many as it sends: max(g, 2o). The paper
/// mostly takes g >= 2o.
double logp_exchange_interval_cycles(const LogpMachine& machine);

// A PRAM, P processors in step on one memory, is this machine with L = o = g = 0 (section 6.1). The
// paper prints no step counts: the models' pram_steps are those of the textbook algorithms on P
// processors, an addition, a butterfly node or an arithmetic operation a step.

/// log2 of a power of two.
int logarithm_of_power_of_two(std::int64_t power);

/// Smallest k with 2^k >= count.
int rounds_of_doubling(std::int64_t count);

[[nodiscard]] bool is_power_of_two(std::int64_t count);

/// ceil(dividend / divisor), for dividend >= 0 and divisor > 0.
constexpr std::int64_t quotient_rounded_up(std::int64_t dividend, std::int64_t divisor) {
    return (dividend + divisor - 1) / divisor;
}

/// The inputs L, o, g and P, as the models of LogP's algorithms share them.
void declare_logp_machine(Model& model, LogpMachine& machine);

/// A note of models whose equations have g alone.
inline constexpr const char* kOverheadForGap =
    "2o is longer than g: wherever an equation shown has g, 2o stands for it.";

constexpr bool overhead_takes_the_gaps_place(const LogpMachine& machine) {
    return 2.0 * machine.overhead_cycles > machine.gap_cycles;
}

}  // namespace weir::experiments::models
