#include "experiments/models/memory_logp/memory_logp.h"

#include <algorithm>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr double kHertzPerMegahertz = 1e6;

void require_bytes(const char* name, std::int64_t value) {
    require_quantity(name, static_cast<double>(value), 1.0, "bytes");
}

void require_memory(const MemoryLogpInputs& inputs) {
    require_quantity("memory_overhead_cycles_per_byte (o_m)", inputs.overhead_cycles_per_byte, 0.0,
                     "cycles a byte");
    require_quantity("memory_latency_cycles_per_byte (l)", inputs.latency_cycles_per_byte, 0.0,
                     "cycles a byte");
    require_bytes("word_bytes (w_m)", inputs.word_bytes);
}

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

std::optional<double> reciprocal(double value) {
    // Below this 1/value is out of the range the models compute in.
    return value < 1.0 / kLargestQuantity ? std::nullopt : std::optional(1.0 / value);
}

}  // namespace

MemoryTransfer memory_transfer(const MemoryLogpInputs& inputs, std::int64_t data_bytes) {
    require_memory(inputs);
    require_bytes("data_bytes (s)", data_bytes);

    MemoryTransfer transfer;
    const double o = inputs.overhead_cycles_per_byte;
    const auto w_m = static_cast<double>(inputs.word_bytes);
    transfer.cycles_per_byte = o + inputs.latency_cycles_per_byte;
    transfer.cycles_per_word = w_m * transfer.cycles_per_byte;
    transfer.gap_cycles_per_byte = o;
    transfer.words = parts(data_bytes, inputs.word_bytes);
    transfer.cycles = static_cast<double>(transfer.words) * transfer.cycles_per_word;
    transfer.contiguous_cycles = static_cast<double>(transfer.words) * w_m * o;
    transfer.contiguous_bytes_per_cycle = reciprocal(o);
    transfer.bytes_per_cycle = reciprocal(transfer.cycles_per_byte);
    return transfer;
}

double cycles_of_seconds(double seconds, double clock_megahertz) {
    require_quantity("seconds", seconds, 0.0, "seconds");
    require_quantity("clock_megahertz", clock_megahertz, kSlowestMegahertz, "MHz");
    return seconds * clock_megahertz * kHertzPerMegahertz;
}

MeasuredMemoryLogp measured_memory_logp(const MeasuredTransfers& times) {
    require_bytes("data_bytes (s)", times.data_bytes);
    // A ratio to it is asked for, so it may not be 0.
    require_quantity("contiguous_seconds", times.contiguous_seconds, 1e-15, "seconds");
    if (!(times.strided_seconds >= times.contiguous_seconds &&
          times.strided_seconds <= kLongestTransferSeconds)) {
        throw ModelError("strided_seconds is " + shortest_text(times.strided_seconds),
                         shortest_text(times.contiguous_seconds) + " to " +
                             shortest_text(kLongestTransferSeconds) +
                             " seconds, no less than the contiguous transfer");
    }

    const auto s = static_cast<double>(times.data_bytes);
    const double contiguous = cycles_of_seconds(times.contiguous_seconds, times.clock_megahertz);
    const double strided = cycles_of_seconds(times.strided_seconds, times.clock_megahertz);
    MeasuredMemoryLogp measured;
    measured.overhead_cycles_per_byte = contiguous / s;
    measured.latency_cycles_per_byte = (strided - contiguous) / s;
    measured.strided_to_contiguous = strided / contiguous;
    measured.latency_to_overhead = (strided - contiguous) / contiguous;
    return measured;
}

MemoryLogpMessage memory_logp_message(const MemoryLogpMessageInputs& inputs) {
    require_memory(inputs.memory);
    require_bytes("message_bytes (B)", inputs.message_bytes);
    require_bytes("network_packet_bytes (w_n)", inputs.network_packet_bytes);
    require_quantity("latency_cycles (L_n)", inputs.latency_cycles, 0.0, "cycles");
    require_quantity("overhead_cycles (o_n)", inputs.overhead_cycles, 0.0, "cycles");
    require_quantity("gap_cycles (g_n)", inputs.gap_cycles, 0.0, "cycles");
    require_quantity("extra_copies", static_cast<double>(inputs.extra_copies), 0.0, "copies");

    MemoryLogpMessage message;
    message.packets = parts(inputs.message_bytes, inputs.network_packet_bytes);
    const double latency = inputs.latency_cycles;
    const auto logp_message = [&](double overhead) {
        return overhead +
               std::max(inputs.gap_cycles, overhead) * static_cast<double>(message.packets) +
               latency + overhead;
    };
    message.logp_packet_cycles = inputs.overhead_cycles + latency + inputs.overhead_cycles;
    message.logp_message_cycles = logp_message(inputs.overhead_cycles);

    const auto w_n = static_cast<double>(inputs.network_packet_bytes);
    const double o_m = inputs.memory.overhead_cycles_per_byte;
    const double one_end = o_m + inputs.memory.latency_cycles_per_byte;
    message.memory_cycles_per_byte =
        one_end + one_end + o_m * static_cast<double>(inputs.extra_copies);
    message.cycles_per_byte = message.memory_cycles_per_byte + latency / w_n;
    message.message_cycles = static_cast<double>(inputs.message_bytes) * message.cycles_per_byte;
    message.memory_overhead_cycles = w_n * one_end;
    message.logp_with_memory_overhead_cycles = logp_message(message.memory_overhead_cycles);
    return message;
}

}  // namespace weir::experiments::models
