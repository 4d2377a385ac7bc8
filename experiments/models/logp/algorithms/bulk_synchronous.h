#pragma once

#include <cstdint>

#include "experiments/models/logp/logp_machine.h"

/// What the machine of the Bulk Synchronous Parallel model charges, to set beside LogP.
///
/// Source: Culler et al. (1993), section 6.3, after Valiant, "A Bridging Model for Parallel
/// Computation" (1990). A computation is a sequence of supersteps, all processors together. In one,
/// a processor computes on what was in its memory at the start, sends at most h messages and
/// receives at most h (an h-relation), and may use what it receives only in the next. The superstep
/// must be long enough for any h-relation, since the model does not schedule messages; so it costs
///     max(w, g_b h, l),
/// w being the longest computation of any processor, g_b the time a message of an h-relation takes
/// and l the shortest superstep, synchronisation included. (Others charge w + g_b h + l, which is
/// up to three times that.) The LogP paper prints no equation for BSP; these are Valiant's
/// definitions applied to its algorithms.
///
/// Times are cycles. Bad parameters are a ModelError.
namespace weir::experiments::models {

inline const std::string kBspEquation = "Section 6.3: supersteps of max(w, g_b h, l)";

/// How the processors of a superstep synchronise.
enum class BspBarrier {
    kMessages,  ///< by messages, as LogP has it
    kHardware,  ///< at no cost, as BSP assumes
};

struct BspMachine {
    double gap_cycles = kNotGiven;          ///< g_b: an h-relation takes g_b h
    double periodicity_cycles = kNotGiven;  ///< l: no superstep is shorter
    int processors = 0;                     ///< P, 1 to kLogpMostProcessors
};

/// What a LogP machine is as a BSP machine: a processor sends and receives a message every max(g,
/// 2o), and the shortest superstep delivers a message (L + 2o) and then synchronises. By messages
/// that is an optimal summation tree of empty messages and an optimal broadcast, each as long as
/// the broadcast.
///
/// An h-relation takes this LogP machine (h - 1) max(g, 2o) + L + 2o, which max(g_b h, l) may fall
/// short of, by less than half. With a hardware barrier BSP can so come out below LogP.
BspMachine bsp_machine_of(const LogpMachine& machine, BspBarrier barrier = BspBarrier::kMessages);

/// max(w, g_b h, l).
double bsp_superstep_cycles(const BspMachine& machine, double work_cycles, double relation);

struct BspCost {
    double cycles = 0.0;
    std::int64_t supersteps = 0;
    int fan_out = 0;  ///< messages a processor sends or receives in a superstep of a tree, at most
};

/// One datum to all: in each superstep, every processor that has it sends it to k others, for the k
/// that ends first. 0 supersteps on one processor.
BspCost bsp_broadcast(const BspMachine& machine);

/// The sum of n values spread evenly: a superstep of local additions, then supersteps in which
/// every processor that still has a partial sum adds the k it was sent, for the best k.
BspCost bsp_summation(const BspMachine& machine, std::int64_t values);

/// Whether BSP's supersteps end with a barrier that costs nothing.
void declare_bsp_barrier(Model& model, BspBarrier& barrier);

}  // namespace weir::experiments::models
