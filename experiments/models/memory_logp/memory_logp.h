#pragma once

#include <cstdint>
#include <optional>

#include "experiments/models/model_input.h"

/// Memory logP: what it costs a processor to move data through its own memory, and a message that
/// is packed from memory, sent, and unpacked into memory.
///
/// Four parameters, in processor cycles and, as the paper reports them, a byte:
///     o  overhead: moving ideally distributed (contiguous) data; does not vary with their size
///     l  effective latency, f(s, d): what data size s and distribution d add
///     g  gap: o, as everywhere in the paper
///     P  processors: 1, since only point-to-point transfers are modelled
/// and the word w_m of the instruction set takes the place of LogP's message of w_n bytes.
///
/// Source: Cameron and Sun, "Quantifying Locality Effect in Data Access Delay: Memory logP" (2003),
/// sections 4, 5 and 7. Section 4 says once that l is bounded below by o; section 5 has l = 0 for
/// contiguous data. The second holds here: it is o + l that o bounds.
///
/// Times are processor cycles, 0 to 1e15, sizes whole bytes. Anything else is a ModelError.
namespace weir::experiments::models {

/// A thousandth of a hertz: slower clocks are a mistake of units.
inline constexpr double kSlowestMegahertz = 1e-9;

struct MemoryLogpInputs {
    double overhead_cycles_per_byte = kNotGiven;  ///< o_m
    double latency_cycles_per_byte = kNotGiven;   ///< l, at the size and stride asked for
    std::int64_t word_bytes = 0;                  ///< w_m: 4 for integers, 8 for floating point
};

struct MemoryTransfer {
    double cycles_per_byte = 0.0;      ///< o + l
    double cycles_per_word = 0.0;      ///< w_m (o + l)
    double gap_cycles_per_byte = 0.0;  ///< g = o
    std::int64_t words = 0;            ///< ceil(s / w_m)
    double cycles = 0.0;               ///< of the whole transfer, a whole number of words
    double contiguous_cycles = 0.0;    ///< of as many contiguous bytes
    /// 1/g, the bandwidth for contiguous data; none where o is 0.
    std::optional<double> contiguous_bytes_per_cycle;
    std::optional<double> bytes_per_cycle;  ///< 1/(o + l); none where that is 0
};

/// Section 5: a transfer of s bytes from and to the memory of one processor.
[[nodiscard]] MemoryTransfer memory_transfer(const MemoryLogpInputs& inputs,
                                             std::int64_t data_bytes);

/// No transfer that is measured takes longer.
constexpr double kLongestTransferSeconds = 1e6;

/// o and l out of two measured times, as section 7 does it: o is the contiguous transfer's time a
/// byte, l what the strided one takes beyond it.
struct MeasuredTransfers {
    double contiguous_seconds = kNotGiven;
    double strided_seconds = kNotGiven;  ///< no less than contiguous_seconds
    std::int64_t data_bytes = 0;         ///< moved by each of the two
    double clock_megahertz = kNotGiven;
};

struct MeasuredMemoryLogp {
    double overhead_cycles_per_byte = 0.0;  ///< o_m
    double latency_cycles_per_byte = 0.0;   ///< l
    double strided_to_contiguous = 0.0;     ///< (o + l) / o
    double latency_to_overhead = 0.0;       ///< l / o: the increase
};

[[nodiscard]] MeasuredMemoryLogp measured_memory_logp(const MeasuredTransfers& times);

/// Seconds in cycles of a clock.
[[nodiscard]] double cycles_of_seconds(double seconds, double clock_megahertz);

/// A message through memory, network and memory. LogP's parameters carry the index n in the paper.
struct MemoryLogpMessageInputs {
    MemoryLogpInputs memory;                ///< the mean of packing and unpacking
    std::int64_t message_bytes = 0;         ///< B
    std::int64_t network_packet_bytes = 0;  ///< w_n: what one LogP message carries
    double latency_cycles = kNotGiven;      ///< L_n
    double overhead_cycles = kNotGiven;     ///< o_n: LogP's, of one packet, at either end
    double gap_cycles = kNotGiven;          ///< g_n
    std::int64_t extra_copies = 0;  ///< contiguous ones in all, beyond packing and unpacking
};

struct MemoryLogpMessage {
    std::int64_t packets = 0;  ///< ceil(B / w_n)
    // LogP alone.
    double logp_packet_cycles = 0.0;   ///< o + L + o
    double logp_message_cycles = 0.0;  ///< o + max{g, o} ceil(B / w_n) + L + o
    // With memory logP.
    double cycles_per_byte = 0.0;         ///< (o_m + l) + L_n / w_n + (o_m + l), and o_m a copy
    double memory_cycles_per_byte = 0.0;  ///< of them, those that are not L_n / w_n
    double message_cycles = 0.0;          ///< B times cycles_per_byte: packets one by one
    double memory_overhead_cycles = 0.0;  ///< w_n (o_m + l), which takes the place of o_n
    /// LogP's message with that overhead for o_n. Extra copies are not in it.
    double logp_with_memory_overhead_cycles = 0.0;
};

/// Section 5. LogP's formula for B bytes is evaluated as it is printed: for a single packet it
/// gives max{g, o} more than o + L + o.
[[nodiscard]] MemoryLogpMessage memory_logp_message(const MemoryLogpMessageInputs& inputs);

}  // namespace weir::experiments::models
