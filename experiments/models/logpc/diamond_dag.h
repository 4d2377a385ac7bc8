#pragma once

#include <optional>

#include "experiments/models/logpc/logpc_network.h"

/// LoGPC's Diamond DAG: n x n tasks in P horizontal stripes of b blocks. Each task needs the
/// results of the task below and of the task to its left. A processor receives a block's lower edge
/// from the stripe below, computes the block, and sends its upper edge to the stripe above.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 5.2.1, equation (15). Times are processor
/// cycles (the paper's unit is the time of a task). As in the paper, receiving a block costs the
/// processor (B - 1 - a) G; (15) leaves out the interrupt's overhead.
///
/// Inputs that are absent or out of range are a ModelError.
namespace weir::experiments::models {

struct DiamondDagInputs {
    int processors = 0;                         ///< P: number of stripes and processors, 2 or more
    int tasks_per_side = 0;                     ///< n: tasks along a side of the DAG, P or more
    int blocks = 0;                             ///< b: blocks in a stripe, 1 to n
    double task_cycles = kNotGiven;             ///< computation time of one task
    double aggregation_cycles_per_value = 0.0;  ///< alpha: time to pack and unpack a value
    double message_bytes = kNotGiven;           ///< B: message with a block's edge, 1 + a or more
    double send_overhead_cycles = kNotGiven;    ///< o_s
    double latency_cycles = kNotGiven;          ///< L
    double gap_cycles_per_byte = kNotGiven;     ///< G
    double header_bytes = kNotGiven;            ///< a
};

struct DiamondDag {
    double block_work_cycles = 0.0;     ///< w_a: work of the n^2/(P b) tasks of a block
    double block_cycles = 0.0;          ///< W = w_a + alpha n/b
    double block_send_cycles = 0.0;     ///< O_s = o_s + (B-1) G
    double block_receive_cycles = 0.0;  ///< O_r = (B-1-a) G: time to receive a block's edge
    /// d = L + a G: delay until the header notifies the receiver.
    double notification_cycles = 0.0;
    double first_block_cycles =
        0.0;  ///< u = O_r + W + d: first block of a stripe to that of the next
    double next_block_cycles = 0.0;  ///< v = O_s + W + O_r: block of a stripe to its next block
    double makespan_cycles = 0.0;    ///< M: makespan, (15)
    double communication_to_computation = 0.0;  ///< ratio of communication to computation: 2 B G/W
    /// Share of M that is aggregation: alpha n/b in each block on the critical path.
    double aggregation_share = 0.0;
    /// Alpha at which aggregation would be half of M.
    double half_aggregation_cycles_per_value = 0.0;
};

DiamondDag solve_diamond_dag(const DiamondDagInputs& inputs);

struct BestDiamondDagBlocks {
    /// Best number of blocks; empty if more blocks are always better.
    std::optional<double> blocks;
    double most_blocks = 0.0;  ///< min(n, bytes_per_value n/(1 + a)): B is 1 + a or more
    bool limited = false;      ///< true if dM/db = 0 lies beyond most_blocks
};

/// The b, as a real number, with the shortest makespan if B = bytes_per_value n/b shrinks as b
/// grows: dM/db = 0, between 1 and most_blocks. (The paper speaks of M's maximum at that b; it is a
/// minimum.) More blocks are always better where a message's o_s is not above (2 + a) G. An
/// exception is P = 2 with long messages. There the cost of a block to the pipeline also falls with
/// b, and one of the two ends is best. The function does not read message_bytes and blocks of the
/// inputs.
BestDiamondDagBlocks best_diamond_dag_blocks(const DiamondDagInputs& inputs,
                                             double bytes_per_value);

struct DiamondDagContention {
    double makespan_cycles = 0.0;  ///< M + (P-1) C_n + 2 (b-1) C_n
    double slowdown = 0.0;         ///< makespan with contention divided by M
    LogpcNetworkSolution network;  ///< C_n, and m_c = 1/(v + 2 C_n)
    bool below_a_hop = false;      ///< true if k_d < 1, where C_n is taken as 0
};

/// Upper bound of section 5.2.1: every communication on the critical path waits C_n, at the rate
/// m_c = 1/(v + 2 C_n). The function does not read the network's message_bytes. A k_d from 1e-9 to
/// 1, for which (3) would be negative, gives C_n = 0.
DiamondDagContention solve_diamond_dag_contention(const DiamondDagInputs& inputs,
                                                  LogpcNetworkInputs network);

}  // namespace weir::experiments::models
