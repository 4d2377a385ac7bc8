#pragma once

#include <cstdint>
#include <optional>

#include "experiments/models/model_input.h"

/// Memory logP: time to move data within a processor's memory, and time of a message that is packed
/// from memory, sent, and unpacked into memory.
///
/// Four parameters, in processor cycles and (as in the paper) per byte:
///     o  overhead: time to move ideally distributed (contiguous) data; independent of their size
///     l  effective latency, f(s, d): time that data size s and distribution d add
///     g  gap: equal to o throughout the paper
///     P  processors: 1, since only point-to-point transfers are modelled
/// The word w_m of the instruction set corresponds to LogP's message of w_n bytes.
///
/// Source: Cameron and Sun, "Quantifying Locality Effect in Data Access Delay: Memory logP" (2003),
/// sections 4, 5 and 7. Section 4 says once that l is bounded below by o, but section 5 has l = 0
/// for contiguous data. This file follows section 5: o + l is bounded below by o.
///
/// Times are processor cycles, 0 to 1e15, sizes whole bytes.
namespace weir::experiments::models {

struct MemoryLogpInputs {
    double overhead_cycles_per_byte = kNotGiven;  ///< o_m
    double latency_cycles_per_byte = kNotGiven;   ///< l for the size and stride of the transfer
    std::int64_t word_bytes = 0;                  ///< w_m: 4 for integers, 8 for floating point
};

struct MemoryTransfer {
    double cycles_per_byte = 0.0;      ///< o + l: cycles per byte of the transfer
    double cycles_per_word = 0.0;      ///< w_m (o + l): cycles per word of the transfer
    double gap_cycles_per_byte = 0.0;  ///< g = o: gap between two bytes
    std::int64_t words = 0;            ///< ceil(s / w_m): number of words
    double cycles = 0.0;               ///< time of the whole transfer, rounded up to whole words
    double contiguous_cycles = 0.0;    ///< time of a transfer of as many contiguous bytes
    /// 1/g, the bandwidth for contiguous data; absent if o is 0.
    std::optional<double> contiguous_bytes_per_cycle;
    std::optional<double> bytes_per_cycle;  ///< 1/(o + l); absent if o + l is 0
};

/// Section 5: a transfer of s bytes from and to the memory of one processor.
[[nodiscard]] MemoryTransfer memory_transfer(const MemoryLogpInputs& inputs,
                                             std::int64_t data_bytes);

/// Longest measured transfer that is accepted.
constexpr double kLongestTransferSeconds = 1e6;

/// Two measured times, from which section 7 computes o and l. o is the contiguous transfer's time
/// per byte, and l the additional time per byte of the strided transfer.
struct MeasuredTransfers {
    double contiguous_seconds = kNotGiven;
    /// Time of the strided transfer, no less than contiguous_seconds.
    double strided_seconds = kNotGiven;
    std::int64_t data_bytes = 0;  ///< number of bytes that each of the two transfers moves
    double clock_megahertz = kNotGiven;
};

struct MeasuredMemoryLogp {
    double overhead_cycles_per_byte = 0.0;  ///< o_m
    double latency_cycles_per_byte = 0.0;   ///< l
    double strided_to_contiguous = 0.0;     ///< (o + l) / o: strided time over contiguous time
    double latency_to_overhead = 0.0;       ///< l / o: the increase over contiguous data
};

[[nodiscard]] MeasuredMemoryLogp measured_memory_logp(const MeasuredTransfers& times);

/// Converts seconds to cycles of a clock.
[[nodiscard]] double cycles_of_seconds(double seconds, double clock_megahertz);

/// Inputs of a message through memory, network and memory. The paper gives LogP's parameters an n.
struct MemoryLogpMessageInputs {
    MemoryLogpInputs memory;                ///< mean of packing and unpacking
    std::int64_t message_bytes = 0;         ///< B
    std::int64_t network_packet_bytes = 0;  ///< w_n: bytes that one LogP message carries
    double latency_cycles = kNotGiven;      ///< L_n
    double overhead_cycles = kNotGiven;     ///< o_n: LogP's overhead of a packet, at either end
    double gap_cycles = kNotGiven;          ///< g_n
    std::int64_t extra_copies = 0;  ///< contiguous copies in addition to packing and unpacking
};

struct MemoryLogpMessage {
    std::int64_t packets = 0;  ///< ceil(B / w_n): number of packets
    // Times by LogP alone:
    double logp_packet_cycles = 0.0;   ///< o + L + o
    double logp_message_cycles = 0.0;  ///< o + max{g, o} ceil(B / w_n) + L + o
    // With memory logP:
    /// (o_m + l) + L_n / w_n + (o_m + l), plus o_m for each extra copy.
    double cycles_per_byte = 0.0;
    double memory_cycles_per_byte = 0.0;  ///< cycles_per_byte without L_n / w_n
    double message_cycles = 0.0;          ///< B times cycles_per_byte: packets one by one
    double memory_overhead_cycles = 0.0;  ///< w_n (o_m + l), which replaces o_n
    /// LogP's message with memory_overhead_cycles for o_n, without extra copies.
    double logp_with_memory_overhead_cycles = 0.0;
};

/// Section 5. LogP's formula for B bytes is evaluated as printed: for a single packet it exceeds o
/// + L + o by max{g, o}.
[[nodiscard]] MemoryLogpMessage memory_logp_message(const MemoryLogpMessageInputs& inputs);

}  // namespace weir::experiments::models
