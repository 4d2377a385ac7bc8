#pragma once

#include "experiments/models/logpc/logpc_network.h"

/// LoGPC for long messages: LogGP's with the contention of the network, and the all-to-all remap
/// that does nothing but send and receive them.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 3.2, equation (10); section 5.1.3 with
/// equation (13). Times are processor cycles; what the parts refuse is a ModelError here.
namespace weir::experiments::models {

/// One long message, (10).
struct LogpcLongMessage {
    double contention_free_cycles = 0.0;  ///< (1): what LogGP says
    double end_to_end_cycles = 0.0;       ///< (10): o_sl + (B-1) G + L + C_n
    double latency_cycles = 0.0;          ///< L' = L + C_n: all waiting is the header's
    LogpcNetworkSolution network;
};

/// (10): B and the channels are in `network`; its nodes would inject a message every T cycles. The
/// paper spreads C_n over L' and G' without saying how, and finds it better to leave G alone and
/// delay the header: that is what latency_cycles does.
LogpcLongMessage solve_logpc_long_message(double send_overhead_cycles, double latency_cycles,
                                          double gap_cycles_per_byte,
                                          const LogpcNetworkInputs& network,
                                          double contention_free_intermessage_cycles);

struct LogpcRemapInputs {
    double send_overhead_cycles = kNotGiven;  ///< o_s
    double header_bytes = kNotGiven;          ///< a: arrived before the receiving DMA starts
    double gap_cycles_per_byte = kNotGiven;   ///< G
    LogpcNetworkInputs network;               ///< B in it
};

/// A turn of a node that sends a long message to a random node, while one arrives.
struct LogpcRemap {
    double exact_iteration_cycles = 0.0;            ///< o_s + (B-1) G + (B-1-a) G
    double contention_free_iteration_cycles = 0.0;  ///< T = 2 B G, what the paper makes of it
    LogpcMaximalInjection bound;                    ///< F and T_c/T of (13), (14)
    LogpcNetworkSolution network;                   ///< at T: T_c = F B
    LogpcNetworkSolution exact_network;             ///< at exact_iteration_cycles
};

/// Section 5.1.3. B is at least 1 + a.
LogpcRemap solve_logpc_long_remap(const LogpcRemapInputs& inputs);

}  // namespace weir::experiments::models
