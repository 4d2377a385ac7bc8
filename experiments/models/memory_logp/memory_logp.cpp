#include "experiments/models/memory_logp/memory_logp.h"

#include <algorithm>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr double kHertzPerMegahertz = 1e6;
/// A thousandth of a hertz. Slower clocks are taken for errors of units.
constexpr double kSlowestMegahertz = 1e-9;

void require_bytes(const char* name, std::int64_t value) {
    require_quantity(name, static_cast<double>(value), 1.0, "bytes");
}

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

std::optional<double> reciprocal(double value) {
    // For smaller values 1/value is out of the models' range.
    return value < 1.0 / kLargestQuantity ? std::nullopt : std::optional(1.0 / value);
}

}  // namespace

MemoryTransfer memory_transfer(const MemoryLogpInputs& inputs, std::int64_t data_bytes) {
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
    return seconds * clock_megahertz * kHertzPerMegahertz;
}

MeasuredMemoryLogp measured_memory_logp(const MeasuredTransfers& times) {
    if (times.strided_seconds < times.contiguous_seconds) {
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
    const MemoryLogpInputs& memory = inputs.memory;
    require_quantity("memory_overhead_cycles_per_byte (o_m)", memory.overhead_cycles_per_byte, 0.0,
                     "cycles per byte");
    require_quantity("memory_latency_cycles_per_byte (l)", memory.latency_cycles_per_byte, 0.0,
                     "cycles per byte");
    require_bytes("word_bytes (w_m)", memory.word_bytes);
    require_bytes("message_bytes (B)", inputs.message_bytes);
    require_bytes("network_packet_bytes (w_n)", inputs.network_packet_bytes);
    require_quantity("latency_cycles (L_n)", inputs.latency_cycles);
    require_quantity("overhead_cycles (o_n)", inputs.overhead_cycles);
    require_quantity("gap_cycles (g_n)", inputs.gap_cycles);
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
    const double o_m = memory.overhead_cycles_per_byte;
    const double one_end = o_m + memory.latency_cycles_per_byte;
    message.memory_cycles_per_byte =
        one_end + one_end + o_m * static_cast<double>(inputs.extra_copies);
    message.cycles_per_byte = message.memory_cycles_per_byte + latency / w_n;
    message.message_cycles = static_cast<double>(inputs.message_bytes) * message.cycles_per_byte;
    message.memory_overhead_cycles = w_n * one_end;
    message.logp_with_memory_overhead_cycles = logp_message(message.memory_overhead_cycles);
    return message;
}

namespace {

constexpr Limits kSomeBytes = {1.0, kLargestQuantity};

/// Declares o_m, l and w_m, which two models share.
void declare_memory(Model& model, MemoryLogpInputs& memory) {
    model.input(memory.overhead_cycles_per_byte, "memory_overhead_cycles_per_byte", "o_m",
                "Time to move a byte of contiguous data");
    model.input(memory.latency_cycles_per_byte, "memory_latency_cycles_per_byte", "l",
                "Effective latency: time per byte that size and stride add");
    model.input(WEIR_NAMED(memory, word_bytes), "w_m",
                "Number of bytes of a word: 4 for integers, 8 for doubles", kSomeBytes);
}

class MemoryLogpModel final : public Model {
  public:
    MemoryLogpModel()
        : Model("memory-logp", "Time to move data within a processor's own memory",
                "Memory logP (2003), sections 4 and 5") {
        declare_memory(*this, in_);
        input(data_bytes_, "data_bytes", "s", "Number of bytes moved", kSomeBytes);
        input(clock_megahertz_, "clock_megahertz", "",
              "Clock rate of the processor; 0: transfer_microseconds is empty", {0.0, 1e6});
        output(WEIR_NAMED(out_, cycles_per_byte), "o + l",
               "Time per byte of the transfer: overhead and latency", "Section 5");
        output(WEIR_NAMED(out_, cycles_per_word), "w_m (o + l)",
               "Time per word of the transfer: overhead and latency", "Section 5");
        output(out_.gap_cycles_per_byte, "transfer_gap_cycles_per_byte", "g",
               "Gap: time from one byte to the next, equal to the overhead", "Section 4");
        output(out_.cycles, "transfer_cycles", "",
               "Time of the whole transfer, rounded up to whole words", "Section 5");
        output(out_.contiguous_cycles, "contiguous_transfer_cycles", "",
               "Time of a transfer of the same number of contiguous bytes", "Section 5");
        output(WEIR_NAMED(out_, bytes_per_cycle), "1/(o + l)", "Bandwidth of the transfer");
        output(WEIR_NAMED(out_, contiguous_bytes_per_cycle), "1/g",
               "Bandwidth of a transfer of contiguous data", "Section 4");
        output([this] { return transfer_microseconds(); }, "transfer_microseconds", "",
               "Time of the whole transfer in microseconds; empty without clock_megahertz");
    }

  private:
    [[nodiscard]] std::optional<double> transfer_microseconds() const {
        if (clock_megahertz_ == 0.0) {
            return std::nullopt;
        }
        require_quantity("clock_megahertz", clock_megahertz_, kSlowestMegahertz);
        return out_.cycles / clock_megahertz_;  // MHz are cycles per microsecond
    }

    void evaluate() override {
        out_ = memory_transfer(in_, data_bytes_);
        note("The gap equals the overhead and P is 1: the processor makes one transfer at a time.");
        note(
            "Section 4 says that l is at least o; section 5 sets l = 0 for contiguous data. This "
            "model follows section 5.");
    }

    MemoryLogpInputs in_;
    std::int64_t data_bytes_ = 0;
    double clock_megahertz_ = 0.0;
    MemoryTransfer out_;
};

class MemoryLogpMeasuredModel final : public Model {
  public:
    MemoryLogpMeasuredModel()
        : Model("memory-logp-measured", "Overhead o and latency l from two measured transfer times",
                "Memory logP (2003), sections 2 and 7") {
        constexpr Limits kSeconds = {1e-15, kLongestTransferSeconds};
        input(WEIR_NAMED(in_, contiguous_seconds), "", "Time of the contiguous transfer", kSeconds);
        input(WEIR_NAMED(in_, strided_seconds), "", "Time of the strided transfer", kSeconds);
        input(WEIR_NAMED(in_, data_bytes), "s", "Number of bytes that each transfer moves",
              kSomeBytes);
        input(WEIR_NAMED(in_, clock_megahertz), "", "Clock rate of the processor",
              {kSlowestMegahertz, 1e6});
        output(out_.overhead_cycles_per_byte, "memory_overhead_cycles_per_byte", "o_m",
               "Overhead: time per byte of the contiguous transfer", "Section 7");
        output(out_.latency_cycles_per_byte, "memory_latency_cycles_per_byte", "l",
               "Effective latency: time per byte that the stride adds", "Section 7");
        output(WEIR_NAMED(out_, strided_to_contiguous), "(o + l)/o",
               "Ratio of the strided transfer's time to the contiguous one's", "Section 2");
        output(WEIR_NAMED(out_, latency_to_overhead), "l/o",
               "Ratio of the time that the stride adds to the contiguous transfer's time",
               "Section 2");
    }

  private:
    void evaluate() override {
        out_ = measured_memory_logp(in_);
        note(
            "Section 2 (0.0083 s, 0.062 s at 933 MHz) speaks of one row of 1024 doubles, which "
            "would be 945 cycles per byte. All 1024 x 1024 doubles give o = 0.92 and l = 5.97.");
        note(
            "Section 2's six-fold increase is l/o = 6.5; the ratio of the times is 7.5. Its "
            "three-fold increase (0.176 us, 0.551 us) is the ratio, 3.1; l/o is 2.1.");
    }

    MeasuredTransfers in_;
    MeasuredMemoryLogp out_;
};

class MemoryLogpMessageModel final : public Model {
  public:
    MemoryLogpMessageModel()
        : Model("memory-logp-message", "Message that is packed, sent and unpacked",
                "Memory logP (2003), section 5") {
        declare_memory(*this, in_.memory);
        input(WEIR_NAMED(in_, message_bytes), "B", "Number of data bytes of the message",
              kSomeBytes);
        input(WEIR_NAMED(in_, network_packet_bytes), "w_n",
              "Number of data bytes of a packet (LogP message)", kSomeBytes);
        input(WEIR_NAMED(in_, latency_cycles), "L_n", "Latency of a packet in the network");
        input(WEIR_NAMED(in_, overhead_cycles), "o_n",
              "LogP's overhead of a packet at the sender, and at the receiver");
        input(WEIR_NAMED(in_, gap_cycles), "g_n", "LogP's gap between two packets");
        input(WEIR_NAMED(in_, extra_copies), "",
              "Number of contiguous copies in addition to packing and unpacking", {0.0, 1000.0});
        output(WEIR_NAMED(out_, packets), "ceil(B/w_n)", "Number of packets (LogP messages)",
               "Section 5");
        output(WEIR_NAMED(out_, logp_packet_cycles), "o + L + o", "Time of one packet by LogP",
               "Section 5");
        output(WEIR_NAMED(out_, logp_message_cycles), "",
               "Time of the message by LogP: o + max{g, o} ceil(B/w_n) + L + o", "Section 5");
        output(WEIR_NAMED(out_, cycles_per_byte), "",
               "Time per byte: (o_m + l) + L_n/w_n + (o_m + l), plus o_m per extra copy",
               "Section 5");
        output(WEIR_NAMED(out_, memory_cycles_per_byte), "",
               "Part of cycles_per_byte that is due to memory", "Section 5");
        output(WEIR_NAMED(out_, message_cycles), "",
               "Time of the message at cycles_per_byte, if packets do not overlap", "Section 5");
        output(WEIR_NAMED(out_, memory_overhead_cycles), "w_n (o_m + l)",
               "Memory overhead of a packet, which replaces o_n", "Section 5");
        output(WEIR_NAMED(out_, logp_with_memory_overhead_cycles), "",
               "Time of the message by LogP with memory overhead, without extra copies",
               "Section 5");
    }

  private:
    void evaluate() override {
        out_ = memory_logp_message(in_);
        note(
            "LogP's cost of B bytes is as printed; for one packet it is max{g, o} above o + L + "
            "o.");
        note("The cost per byte includes L_n for every packet; memory and network do not overlap.");
        note(
            "Section 2 says \"four times\" across nodes, without an equation. Two extra copies of "
            "contiguous data make the memory's part 4 o_m.");
    }

    MemoryLogpMessageInputs in_;
    MemoryLogpMessage out_;
};

}  // namespace

std::unique_ptr<Model> memory_logp_model() { return std::make_unique<MemoryLogpModel>(); }

std::unique_ptr<Model> memory_logp_measured_model() {
    return std::make_unique<MemoryLogpMeasuredModel>();
}

std::unique_ptr<Model> memory_logp_message_model() {
    return std::make_unique<MemoryLogpMessageModel>();
}

}  // namespace weir::experiments::models
