#pragma once

#include <optional>

#include "experiments/models/logpc/logpc_network.h"

/// LoGPC's Diamond DAG: n x n tasks, each of which needs the one below and the one to its left, in
/// P horizontal stripes of b blocks. A processor receives a block's lower edge from the stripe
/// below, computes the block, and sends its upper edge on.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 5.2.1, equation (15). Times are processor
/// cycles (the paper's are in times of a task). Received values cost a processor (B - 1 - a) G, as
/// there: the interrupt's overhead is not in (15).
///
/// What is absent or out of range is a ModelError.
namespace weir::experiments::models {

struct DiamondDagInputs {
    int processors = 0;                         ///< P, 2 or more
    int tasks_per_side = 0;                     ///< n, P or more
    int blocks = 0;                             ///< b: in a stripe, 1 to n
    double task_cycles = kNotGiven;             ///< one task's work
    double aggregation_cycles_per_value = 0.0;  ///< alpha: packing and unpacking a value
    double message_bytes = kNotGiven;           ///< B: a block's edge, 1 + a or more
    double send_overhead_cycles = kNotGiven;    ///< o_s
    double latency_cycles = kNotGiven;          ///< L
    double gap_cycles_per_byte = kNotGiven;     ///< G
    double header_bytes = kNotGiven;            ///< a
};

struct DiamondDag {
    double block_work_cycles = 0.0;     ///< w_a: n^2/(P b) tasks
    double block_cycles = 0.0;          ///< W = w_a + alpha n/b
    double block_send_cycles = 0.0;     ///< O_s = o_s + (B-1) G
    double block_receive_cycles = 0.0;  ///< O_r = (B-1-a) G
    double notification_cycles = 0.0;   ///< d = L + a G
    double first_block_cycles = 0.0;  ///< u = O_r + W + d: from a stripe's first block to the next
    double next_block_cycles = 0.0;   ///< v = O_s + W + O_r: from a block of a stripe to the next
    double makespan_cycles = 0.0;     ///< M, (15)
    double communication_to_computation = 0.0;  ///< 2 B G/W
    double aggregation_share = 0.0;  ///< of M: alpha n/b in each block on the critical path
    /// The alpha at which aggregation would be half of M.
    double half_aggregation_cycles_per_value = 0.0;
};

DiamondDag solve_diamond_dag(const DiamondDagInputs& inputs);

struct BestDiamondDagBlocks {
    std::optional<double> blocks;  ///< nothing where more blocks are always better
    double most_blocks = 0.0;      ///< min(n, bytes_per_value n/(1 + a)): B is 1 + a or more
    bool limited = false;          ///< dM/db = 0 lies beyond most_blocks
};

/// The b, as a real number, with the shortest makespan when messages get shorter with it, B =
/// bytes_per_value n/b: dM/db = 0, between 1 and most_blocks. (The paper speaks of M's maximum
/// there; it is a minimum.) More blocks are always better where a message's o_s is not above
/// (2 + a) G, unless what a block costs the pipeline falls with b as well (P = 2, long messages):
/// then one of the ends is best. message_bytes and blocks of the inputs are not read.
BestDiamondDagBlocks best_diamond_dag_blocks(const DiamondDagInputs& inputs,
                                             double bytes_per_value);

struct DiamondDagContention {
    double makespan_cycles = 0.0;  ///< M + (P-1) C_n + 2 (b-1) C_n
    double slowdown = 0.0;         ///< that by M
    LogpcNetworkSolution network;  ///< C_n, and m_c = 1/(v + 2 C_n)
    bool below_a_hop = false;      ///< k_d < 1, where C_n is taken as 0
};

/// The upper bound of section 5.2.1: every communication on the critical path waits C_n, at the
/// rate m_c = 1/(v + 2 C_n). message_bytes of the network is not read. A k_d below 1 (from 1e-9),
/// for which (3) would be negative, gives C_n = 0.
DiamondDagContention solve_diamond_dag_contention(const DiamondDagInputs& inputs,
                                                  LogpcNetworkInputs network);

}  // namespace weir::experiments::models
