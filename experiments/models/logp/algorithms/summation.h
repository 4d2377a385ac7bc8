#pragma once

#include <cstdint>
#include <vector>

#include "experiments/models/logp/logp_machine.h"

/// The most values that can be summed in a time T under LogP, and the schedule that does it.
///
/// Source: Culler et al. (1993), section 3.3 and Figure 4. An addition takes one cycle. Each
/// processor sums inputs of its own memory and the partial sums its children send it, and then
/// sends the result to its parent. A processor that must be done at time t takes its last child's
/// message in the o cycles before its last addition, so that this child is done at t - (L + 2o +
/// 1); the others are done g earlier each. Between two messages the processor adds g - o - 1 inputs
/// of its own.
///
/// Two cases the paper leaves to the reader. Where g < o + 1 a processor needs o + 1 for a message
/// and its addition, so children are o + 1 apart. And a partial sum costs its receiver o + 1
/// additions, of which it brings one more than it has additions, so a child must be done at t > o;
/// at t = o ("at least o additions") it neither gains nor costs, and no processor is spent on it
/// here.
///
/// With P processors the tree is pruned to those that are done last: every processor other than the
/// root adds (t - o) to the number of values, whatever its children, so
///     values = T + 1 + sum over the others of (t_i - o).
///
/// Times are whole cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

constexpr std::int64_t kSummationLongestTime = 1'000'000'000'000;

struct SummationMachine {
    std::int64_t latency_cycles = -1;   ///< L
    std::int64_t overhead_cycles = -1;  ///< o
    std::int64_t gap_cycles = -1;       ///< g
    int processors = 0;                 ///< P, at most
};

/// What one processor does, from cycle 0 on: inputs of its own summed, then for each child a
/// reception, one addition and some inputs of its own; at completion_cycle it sends to its parent.
struct SummingProcessor {
    int parent;                     ///< -1 at the root
    std::int64_t completion_cycle;  ///< t: the sum is there, and the send starts
    std::int64_t local_inputs;      ///< inputs in its own memory
    std::vector<int> children;      ///< in the order their sums are received
    /// When each reception starts; o + L after that child's completion.
    std::vector<std::int64_t> receive_cycles;
};

struct SummationSchedule {
    std::int64_t time_cycles;                  ///< T
    std::int64_t values;                       ///< inputs summed
    std::vector<SummingProcessor> processors;  ///< those used, 0 the root, later ones done sooner
};

/// T = time_cycles, 0 to kSummationLongestTime.
SummationSchedule logp_optimal_summation(const SummationMachine& machine, std::int64_t time_cycles);

/// The least T in which `values` (1 to 1e12) can be summed.
std::int64_t logp_least_summation_cycles(const SummationMachine& machine, std::int64_t values);

/// For comparison: inputs spread evenly, then a binomial tree of partial sums:
/// ceil(n/P) - 1 + (L + 2o + 1) + (ceil(log2 P) - 1) max(g, L + 2o + 1); without the tree on one
/// processor.
std::int64_t logp_binomial_summation_cycles(const SummationMachine& machine, std::int64_t values);

}  // namespace weir::experiments::models
