#pragma once

#include "experiments/models/logpc/logpc_network.h"

/// LoGPC for long messages: LogGP's message with the contention of the network, and the all-to-all
/// remap that only sends and receives such messages.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 3.2, equation (10); section 5.1.3 with
/// equation (13). Times are processor cycles. Inputs that the parts refuse are a ModelError.
namespace weir::experiments::models {

/// Times of one long message, by (10).
struct LogpcLongMessage {
    double contention_free_cycles = 0.0;  ///< (1): LogGP's time
    double end_to_end_cycles = 0.0;       ///< (10): o_sl + (B-1) G + L + C_n
    double latency_cycles = 0.0;          ///< L' = L + C_n: the header does all the waiting
    LogpcNetworkSolution network;
};

/// Solves (10). `network` has B and the channels; its nodes inject a message every T cycles without
/// contention. The paper spreads C_n over L' and G' without saying how, and then prefers to leave G
/// unchanged and to delay the header. latency_cycles follows that preference.
LogpcLongMessage solve_logpc_long_message(double send_overhead_cycles, double latency_cycles,
                                          double gap_cycles_per_byte,
                                          const LogpcNetworkInputs& network,
                                          double contention_free_intermessage_cycles);

struct LogpcRemapInputs {
    double send_overhead_cycles = kNotGiven;  ///< o_s
    double header_bytes = kNotGiven;  ///< a: bytes that arrive before the receiving DMA starts
    double gap_cycles_per_byte = kNotGiven;  ///< G
    LogpcNetworkInputs network;              ///< network's inputs, among them the message length B
};

/// Iteration of a node that sends a long message to a random node and receives one.
struct LogpcRemap {
    double exact_iteration_cycles = 0.0;            ///< o_s + (B-1) G + (B-1-a) G
    double contention_free_iteration_cycles = 0.0;  ///< T = 2 B G, the paper's approximation
    LogpcMaximalInjection bound;                    ///< F and T_c/T of (13), (14)
    LogpcNetworkSolution network;                   ///< solution at T: T_c = F B
    LogpcNetworkSolution exact_network;             ///< solution at exact_iteration_cycles
};

/// Solves the remap of section 5.1.3. B is 1 + a or more.
LogpcRemap solve_logpc_long_remap(const LogpcRemapInputs& inputs);

}  // namespace weir::experiments::models
