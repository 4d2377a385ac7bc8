#pragma once

#include <optional>

#include "experiments/models/model_input.h"

/// One long message without contention: LogGP, with the pipeline of sending DMA, network and
/// receiving DMA.
///
/// The message's bytes enter the network at one byte every G cycles. The receiver is interrupted
/// when the a bytes of its header have arrived. o_rl cycles later its DMA engine starts to move the
/// queued bytes, one every Gm cycles. Either the network's last byte or the DMA engine ends the
/// message.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 2.2: equations (1) and (2), Table 2, Figures 3
/// to 5. LogGP's own message, o + (B - 1) G + L + o, is from Alexandrov et al. (1995).
///
/// Times are processor cycles, 0 to 1e15. Inputs that are absent or out of range are a ModelError.
namespace weir::experiments::models {

struct LoggpMachine {
    double send_overhead_cycles = kNotGiven;        ///< o_sl: until the launch, DMA set-up included
    double latency_cycles = kNotGiven;              ///< L: latency of the first byte, network idle
    double receive_overhead_cycles = kNotGiven;     ///< o_rl: interrupt and DMA set-up
    double gap_cycles_per_byte = kNotGiven;         ///< G, from 1e-9
    double memory_gap_cycles_per_byte = kNotGiven;  ///< Gm: gap of the receiving DMA engine
    double header_bytes = kNotGiven;                ///< a: bytes that arrive before the interrupt
};

struct LoggpLongMessage {
    /// (1), if the network is the limit: o_sl + L + (B-1) G.
    double network_limited_cycles = 0.0;
    /// Time if the interrupt is the limit: o_sl + L + a G + o_rl + B Gm.
    double interrupt_limited_cycles = 0.0;
    /// (2): the longer of the times by network and by interrupt.
    double end_to_end_cycles = 0.0;
    double sender_cycles = 0.0;    ///< o_sl + (B-1) G: until the last byte leaves the sender
    double bytes_per_cycle = 0.0;  ///< bandwidth: B divided by end_to_end_cycles
    /// Bytes in an unlimited input queue when the receiving DMA engine starts.
    double queued_bytes = 0.0;
};

/// Solves (1) and (2) for a message of B bytes, 1 or more.
LoggpLongMessage solve_loggp_long_message(const LoggpMachine& machine, double message_bytes);

/// Time by (1), which needs neither the receiver's overhead nor its memory.
double loggp_network_limited_cycles(double send_overhead_cycles, double latency_cycles,
                                    double gap_cycles_per_byte, double message_bytes);

struct LoggpBandwidth {
    double asymptotic_bytes_per_cycle = 0.0;  ///< 1/max(G, Gm): the limit for long messages
    /// Message length that gets half of the asymptotic bandwidth, by (2).
    double half_performance_bytes = 0.0;
    /// Length from which the network's last byte ends the message, so that (1) equals (2). No such
    /// length exists if the memory is no faster than the network.
    std::optional<double> crossover_bytes;
};

LoggpBandwidth loggp_bandwidth(const LoggpMachine& machine);

}  // namespace weir::experiments::models
