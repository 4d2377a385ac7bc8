#pragma once

#include <cstdint>
#include <optional>

#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/logp_machine.h"

/// The n-point FFT as a butterfly of log2 n columns on P processors under LogP, in three layouts.
///
/// Source: Culler et al. (1993), section 4.1. A layout gives each row of the butterfly to a
/// processor: cyclic (row r to r mod P) needs remote data in the last log P columns, blocked in the
/// first log P. The hybrid layout is cyclic first and blocked later, with one remap of all data in
/// between; it needs P^2 <= n. (The paper says n > P^2; at n = P^2 there is one column to remap
/// at.)
///
/// The paper takes g >= 2o; where 2o is longer, it takes the place of g here, as in its section
/// 4.1.4, and point_cycles of loading and storing are added there to 2o.
///
/// Times are cycles, or any unit: with microseconds, bytes per cycle are MB/s. n and P are powers
/// of two with P <= n; anything else is a ModelError.
namespace weir::experiments::models {

struct FftInputs {
    LogpMachine machine;
    std::int64_t points = 0;           ///< n, 2 to 2^40
    double butterfly_cycles = 1.0;     ///< one node of the butterfly; the paper's cycle
    double point_cycles = 0.0;         ///< to load and store a point that is sent or received
    double message_bytes = kNotGiven;  ///< B: data of one message, which carries one point
    BspBarrier bsp_barrier = BspBarrier::kMessages;  ///< for BSP's costs
};

/// The remap between the two layouts of the hybrid.
struct FftRemap {
    double messages_per_processor;  ///< n/P - n/P^2
    double communication_cycles;    ///< g(n/P - n/P^2) + L (4.1.1)
    double total_cycles;            ///< with the computation
    /// At most 1 + g/log2 n (4.1.1), and L/((n/P) log2 n) more; total over the computation alone.
    double total_over_computation;
    double paper_bound;  ///< 1 + g/log2 n
    /// (n/P) max(point + 2o, g) + L (4.1.4): staggered rows, nobody contends.
    double staggered_cycles;
    double staggered_bytes_per_cycle;   ///< B n/P over that, a processor
    double asymptotic_bytes_per_cycle;  ///< B / max(point + 2o, g), n without limit
    /// Every processor sends its rows from the first on, so all send to processor 0 first. The
    /// paper describes this (4.1.2) and gives no equation. If those that wait for a destination
    /// take turns, they reach the next one together, except the destination itself, which is ahead:
    /// P(P - 1)/2 times n/P^2 messages one after another, g apart, plus L.
    double naive_in_turn_cycles;
    /// The least the same order can take: the last destination's first message comes after (P - 2)
    /// n/P^2 others of its sender, then (P - 1) n/P^2 arrive there, all g apart; plus L. It is
    /// reached if the lowest numbered always goes first.
    double naive_least_cycles;
    double idle_cycles_per_message;  ///< g - 2o between two sends, if the remap runs alone (4.1.5)
    /// The least time with the remap merged into the computation (4.1.5): the processor's own work
    /// and overheads, or the messages' gaps and one delivery, whichever is longer.
    double overlapped_least_cycles;
};

struct FftSolution {
    double computation_cycles;  ///< (n/P) log2 n, in all layouts
    /// (g n/P + L) log2 P, cyclic and blocked alike.
    double single_layout_communication_cycles;
    double single_layout_total_cycles;
    std::optional<FftRemap> hybrid;           ///< absent where n < P^2
    std::int64_t pram_steps;                  ///< computation alone
    double bsp_single_layout_cycles;          ///< log2 P supersteps that exchange n/P points each
    std::optional<double> bsp_hybrid_cycles;  ///< two supersteps, the first ends with the remap
};

FftSolution solve_logp_fft(const FftInputs& inputs);

}  // namespace weir::experiments::models
