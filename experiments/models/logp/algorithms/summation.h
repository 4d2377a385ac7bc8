#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// Summation under LogP: the most values that can be summed in a time T, and the schedule.
///
/// Source: Culler et al. (1993), section 3.3 and Figure 4. An addition takes one cycle. Each
/// processor sums inputs of its own memory and the partial sums of its children, then sends the
/// result to its parent. A processor that must finish at time t receives its last child's message
/// in the o cycles before its last addition. The last child therefore finishes at t - (L + 2o + 1);
/// each earlier child finishes g sooner. Between two messages the processor adds g - o - 1 inputs
/// of its own.
///
/// The paper leaves two cases open. Where g < o + 1, a processor needs o + 1 cycles for a message
/// and its addition, so children are o + 1 apart. The second open case is a child that finishes
/// early. A partial sum costs its receiver o + 1 additions, so the child must have made more than o
/// of them, t > o. At t = o ("at least o additions") it adds as much as it costs, and is left out
/// here.
///
/// If only P processors exist, the tree is pruned to the processors that finish last. Every
/// processor other than the root adds (t - o) to the number of values, independently of its
/// children, so
///     values = T + 1 + sum over the others of (t_i - o).
///
/// Times are whole cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

constexpr std::int64_t kSummationLongestTime = 1'000'000'000'000;

struct SummationMachine {
    std::int64_t latency_cycles = -1;   ///< L
    std::int64_t overhead_cycles = -1;  ///< o
    std::int64_t gap_cycles = -1;       ///< g
    int processors = 0;                 ///< P: number of processors that may take part
};

/// Schedule of one processor from cycle 0: it sums inputs of its own. Then for each child it
/// receives a sum, adds it, and adds more inputs. At completion_cycle it sends to its parent.
struct SummingProcessor {
    /// Number of the processor that receives its sum; -1 for the root.
    int parent;
    std::int64_t completion_cycle;  ///< t: end of the sum and start of the send
    std::int64_t local_inputs;      ///< number of inputs from its own memory
    /// Numbers of its children, in the order their sums are received.
    std::vector<int> children;
    /// Start of each reception: o + L after that child's completion.
    std::vector<std::int64_t> receive_cycles;
};

struct SummationSchedule {
    std::int64_t time_cycles;  ///< T
    std::int64_t values;       ///< number of inputs summed
    /// Processors that take part, by completion, the root first.
    std::vector<SummingProcessor> processors;
};

/// Schedule with the most values for T = time_cycles, 0 to kSummationLongestTime.
SummationSchedule logp_optimal_summation(const SummationMachine& machine, std::int64_t time_cycles);

/// The least T in which `values` (1 to 1e12) can be summed.
std::int64_t logp_least_summation_cycles(const SummationMachine& machine, std::int64_t values);

/// Time with evenly spread inputs and a binomial tree of partial sums. The time is ceil(n/P) - 1 +
/// (L + 2o + 1) + (ceil(log2 P) - 1) max(g, L + 2o + 1). One processor needs no tree.
std::int64_t logp_binomial_summation_cycles(const SummationMachine& machine, std::int64_t values);

}  // namespace weir::experiments::models
