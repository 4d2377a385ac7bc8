#pragma once

#include <optional>

#include "experiments/models/model_input.h"

/// One long message without contention: LogGP, with the pipeline of sending DMA, network and
/// receiving DMA.
///
/// The message's bytes enter the network one every G cycles. When the a bytes of its header have
/// arrived, the receiver is interrupted; o_rl cycles later its DMA engine starts to move what has
/// queued up, one byte every Gm cycles. Either the network's last byte or the DMA engine ends the
/// message.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 2.2: equations (1) and (2), Table 2, Figures 3
/// to 5. LogGP's own message, o + (B - 1) G + L + o, is Alexandrov et al. (1995).
///
/// Times are processor cycles, 0 to 1e15. What is absent or out of range is a ModelError.
namespace weir::experiments::models {

struct LoggpMachine {
    double send_overhead_cycles = kNotGiven;        ///< o_sl: until the launch, DMA set-up included
    double latency_cycles = kNotGiven;              ///< L: of the first byte, in an idle network
    double receive_overhead_cycles = kNotGiven;     ///< o_rl: interrupt and DMA set-up
    double gap_cycles_per_byte = kNotGiven;         ///< G, from 1e-9
    double memory_gap_cycles_per_byte = kNotGiven;  ///< Gm: of the receiving DMA engine
    double header_bytes = kNotGiven;                ///< a: arrived before the interrupt
};

struct LoggpLongMessage {
    double network_limited_cycles = 0.0;    ///< (1): o_sl + L + (B-1) G
    double interrupt_limited_cycles = 0.0;  ///< o_sl + L + a G + o_rl + B Gm
    double end_to_end_cycles = 0.0;         ///< (2): the longer of the two
    double sender_cycles = 0.0;             ///< o_sl + (B-1) G: the last byte has left the sender
    double bytes_per_cycle = 0.0;           ///< B by end_to_end_cycles
    double queued_bytes = 0.0;  ///< in the input queue when the DMA engine starts, were it endless
};

/// A message of B bytes, 1 or more.
LoggpLongMessage solve_loggp_long_message(const LoggpMachine& machine, double message_bytes);

/// (1) alone, which needs neither the receiver's overhead nor its memory.
double loggp_network_limited_cycles(double send_overhead_cycles, double latency_cycles,
                                    double gap_cycles_per_byte, double message_bytes);

struct LoggpBandwidth {
    double asymptotic_bytes_per_cycle = 0.0;  ///< of ever longer messages: 1 by the larger of G, Gm
    double half_performance_bytes = 0.0;      ///< the message that gets half of that, by (2)
    /// From this length on the network's last byte ends the message and (1) is (2). Nothing where
    /// the memory is no faster than the network: then no message is long enough.
    std::optional<double> crossover_bytes;
};

LoggpBandwidth loggp_bandwidth(const LoggpMachine& machine);

}  // namespace weir::experiments::models
