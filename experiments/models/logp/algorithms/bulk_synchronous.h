#pragma once

#include <cstdint>

#include "experiments/models/logp/logp_machine.h"

/// Costs on the machine of the Bulk Synchronous Parallel (BSP) model, for comparison with LogP.
///
/// Source: Culler et al. (1993), section 6.3, after Valiant, "A Bridging Model for Parallel
/// Computation" (1990). A computation is a sequence of supersteps that all processors do together.
/// In a superstep a processor computes on the contents of its memory at the superstep's start. Each
/// processor sends at most h messages and receives at most h (an h-relation); received data can be
/// used in the next superstep. BSP does not schedule messages, so a superstep must be long enough
/// for any h-relation. A superstep costs
///     max(w, g_b h, l),
/// with w the longest computation of any processor, g_b the time for each message of an h-relation,
/// and l the shortest superstep, synchronisation included. (Other authors charge w + g_b h + l, up
/// to three times as much.) The LogP paper prints no equation for BSP; these are Valiant's
/// definitions applied to its algorithms.
///
/// Times are cycles.
namespace weir::experiments::models {

inline const std::string kBspEquation = "Section 6.3: supersteps of max(w, g_b h, l)";

/// Barrier at the end of a superstep.
enum class BspBarrier {
    kMessages,  ///< barrier by messages, at LogP's costs
    kHardware,  ///< barrier by hardware at no cost, as BSP assumes
};

struct BspMachine {
    double gap_cycles = kNotGiven;          ///< g_b: an h-relation takes g_b h
    double periodicity_cycles = kNotGiven;  ///< l: length of the shortest superstep
    int processors = 0;                     ///< P: number of processors, 1 to kLogpMostProcessors
};

/// Parameters of a LogP machine as a BSP machine. A processor sends and receives a message every
/// max(g, 2o). The shortest superstep delivers a message (L + 2o) and then synchronises. A barrier
/// by messages is an optimal summation tree of empty messages and an optimal broadcast; each takes
/// as long as the broadcast.
///
/// On the LogP machine an h-relation takes (h - 1) max(g, 2o) + L + 2o. This time can exceed
/// max(g_b h, l), by less than a factor of two, so BSP with a hardware barrier can be faster than
/// LogP.
BspMachine bsp_machine_of(const LogpMachine& machine, BspBarrier barrier = BspBarrier::kMessages);

/// Length of a superstep: max(w, g_b h, l).
double bsp_superstep_cycles(const BspMachine& machine, double work_cycles, double relation);

struct BspCost {
    double cycles = 0.0;
    std::int64_t supersteps = 0;
    int fan_out = 0;  ///< most messages that a processor sends or receives in a tree's superstep
};

/// Broadcast of one datum: in each superstep, every processor that has it sends it to k others.
/// Uses the k with the lowest cost. A broadcast on one processor takes 0 supersteps.
BspCost bsp_broadcast(const BspMachine& machine);

/// Sum of n evenly spread values: a superstep of local additions, then supersteps in which
/// processors with partial sums add k received ones. Uses the k with the lowest cost.
BspCost bsp_summation(const BspMachine& machine, std::int64_t values);

/// Declares the input that chooses the barrier at the end of BSP's supersteps.
void declare_bsp_barrier(Model& model, BspBarrier& barrier);

}  // namespace weir::experiments::models
