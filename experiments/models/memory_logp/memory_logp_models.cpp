#include "experiments/models/memory_logp/memory_logp_models.h"

#include "experiments/models/memory_logp/latency_prediction_models.h"
#include "experiments/models/memory_logp/memory_logp.h"

namespace weir::experiments::models {

namespace {

constexpr Limits kSomeBytes = {1.0, kLargestQuantity};

/// o_m, l and w_m, as the two models of costs ask for them.
struct MemoryInputs {
    explicit MemoryInputs(Model& model)
        : overhead{model, "memory_overhead_cycles_per_byte", "o_m",
                   "What a byte of contiguous data costs to move"},
          latency{model, "memory_latency_cycles_per_byte", "l",
                  "What size and stride of the data add"},
          word_bytes{model, "word_bytes", "w_m", "A word: 4 for integers, 8 for doubles",
                     kSomeBytes} {}

    [[nodiscard]] MemoryLogpInputs inputs() const {
        return {overhead.value(), latency.value(), word_bytes.value()};
    }

    QuantityInput overhead;
    QuantityInput latency;
    CountInput word_bytes;
};

class MemoryLogpModel final : public Model {
  public:
    MemoryLogpModel()
        : Model("memory-logp", "Moving data through a processor's own memory",
                "Memory logP (2003), sections 4 and 5") {}

  private:
    void evaluate() override {
        const MemoryTransfer transfer = memory_transfer(memory_.inputs(), data_bytes_.value());
        cycles_per_byte_ = transfer.cycles_per_byte;
        cycles_per_word_ = transfer.cycles_per_word;
        gap_cycles_per_byte_ = transfer.gap_cycles_per_byte;
        transfer_cycles_ = transfer.cycles;
        contiguous_cycles_ = transfer.contiguous_cycles;
        if (transfer.contiguous_bytes_per_cycle) {
            contiguous_bytes_per_cycle_ = *transfer.contiguous_bytes_per_cycle;
        }
        if (transfer.bytes_per_cycle) {
            bytes_per_cycle_ = *transfer.bytes_per_cycle;
        }
        if (clock_megahertz_.value() > 0.0) {
            require_quantity("clock_megahertz", clock_megahertz_.value(), kSlowestMegahertz, "MHz");
            // MHz are cycles a microsecond.
            transfer_microseconds_ = transfer.cycles / clock_megahertz_.value();
        }
        note("The gap is the overhead and P is 1: one transfer at a time, by the processor.");
        note(
            "Section 4 bounds l below by o, section 5 sets l = 0 for contiguous data; the latter "
            "is used.");
    }

    MemoryInputs memory_{*this};
    CountInput data_bytes_{*this, "data_bytes", "s", "Data moved", kSomeBytes};
    QuantityInput clock_megahertz_{*this,
                                   "clock_megahertz",
                                   "",
                                   "The processor's clock; 0: no answer in time",
                                   Limits{0.0, 1e6},
                                   0.0};

    Output cycles_per_byte_{*this, "cycles_per_byte", "o + l", "A byte, moved as it lies",
                            "Section 5"};
    Output cycles_per_word_{*this, "cycles_per_word", "w_m (o + l)", "A word, moved as it lies",
                            "Section 5"};
    Output gap_cycles_per_byte_{*this, "transfer_gap_cycles_per_byte", "g",
                                "Least time between bytes: the overhead", "Section 4"};
    Output transfer_cycles_{*this, "transfer_cycles", "", "All the data, in whole words",
                            "Section 5"};
    Output contiguous_cycles_{*this, "contiguous_transfer_cycles", "", "As much contiguous data",
                              "Section 5"};
    Output bytes_per_cycle_{*this, "bytes_per_cycle", "1/(o + l)",
                            "Bandwidth for the data as they lie"};
    Output contiguous_bytes_per_cycle_{*this, "contiguous_bytes_per_cycle", "1/g",
                                       "Bandwidth for contiguous data", "Section 4"};
    Output transfer_microseconds_{*this, "transfer_microseconds", "",
                                  "All the data, where the clock is given"};
};

class MemoryLogpMeasuredModel final : public Model {
  public:
    MemoryLogpMeasuredModel()
        : Model("memory-logp-measured", "o and l out of two measured transfer times",
                "Memory logP (2003), sections 2 and 7") {}

  private:
    void evaluate() override {
        const MeasuredMemoryLogp measured =
            measured_memory_logp({contiguous_seconds_.value(), strided_seconds_.value(),
                                  data_bytes_.value(), clock_megahertz_.value()});
        overhead_ = measured.overhead_cycles_per_byte;
        latency_ = measured.latency_cycles_per_byte;
        ratio_ = measured.strided_to_contiguous;
        increase_ = measured.latency_to_overhead;
        note(
            "Section 2 (0.0083 s, 0.062 s at 933 MHz) speaks of one row of 1024 doubles. That "
            "would be 945 cycles a byte; all 1024 x 1024 of them give o = 0.92 and l = 5.97.");
        note(
            "Its six-fold increase is l/o = 6.5; the ratio of the two times is 7.5. Its "
            "three-fold one (0.176 us, 0.551 us) is the ratio, 3.1; l/o is 2.1.");
    }

    QuantityInput contiguous_seconds_{*this, "contiguous_seconds", "",
                                      "The contiguous transfer's time",
                                      Limits{1e-15, kLongestTransferSeconds}};
    QuantityInput strided_seconds_{*this, "strided_seconds", "", "The strided transfer's time",
                                   Limits{1e-15, kLongestTransferSeconds}};
    CountInput data_bytes_{*this, "data_bytes", "s", "Moved by each", kSomeBytes};
    QuantityInput clock_megahertz_{*this, "clock_megahertz", "", "The processor's clock",
                                   Limits{1e-9, 1e6}};

    Output overhead_{*this, "memory_overhead_cycles_per_byte", "o_m", "The contiguous transfer",
                     "Section 7"};
    Output latency_{*this, "memory_latency_cycles_per_byte", "l", "What the stride adds",
                    "Section 7"};
    Output ratio_{*this, "strided_to_contiguous", "(o + l)/o", "Ratio of the two times",
                  "Section 2"};
    Output increase_{*this, "latency_to_overhead", "l/o", "The increase over contiguous data",
                     "Section 2"};
};

class MemoryLogpMessageModel final : public Model {
  public:
    MemoryLogpMessageModel()
        : Model("memory-logp-message", "A message that is packed, sent and unpacked",
                "Memory logP (2003), section 5") {}

  private:
    void evaluate() override {
        const MemoryLogpMessage message = memory_logp_message(
            {memory_.inputs(), message_bytes_.value(), network_packet_bytes_.value(),
             latency_cycles_.value(), overhead_cycles_.value(), gap_cycles_.value(),
             extra_copies_.value()});
        packets_ = static_cast<double>(message.packets);
        logp_packet_cycles_ = message.logp_packet_cycles;
        logp_message_cycles_ = message.logp_message_cycles;
        cycles_per_byte_ = message.cycles_per_byte;
        memory_cycles_per_byte_ = message.memory_cycles_per_byte;
        message_cycles_ = message.message_cycles;
        memory_overhead_cycles_ = message.memory_overhead_cycles;
        logp_with_memory_overhead_cycles_ = message.logp_with_memory_overhead_cycles;
        note("LogP's cost of B bytes is as printed: for one packet max{g, o} above o + L + o.");
        note("The cost a byte pays L_n for every packet; nothing of memory and network overlaps.");
        note(
            "Section 2 says \"four times\" across nodes without an equation: two extra copies of "
            "contiguous data make the memory's part 4 o_m.");
    }

    MemoryInputs memory_{*this};
    CountInput message_bytes_{*this, "message_bytes", "B", "The message's data bytes", kSomeBytes};
    CountInput network_packet_bytes_{*this, "network_packet_bytes", "w_n",
                                     "What one LogP message carries", kSomeBytes};
    QuantityInput latency_cycles_{*this, "latency_cycles", "L_n", "One packet through the network"};
    QuantityInput overhead_cycles_{*this, "overhead_cycles", "o_n",
                                   "LogP's overhead of a packet, at either end"};
    QuantityInput gap_cycles_{*this, "gap_cycles", "g_n", "LogP's gap between two packets"};
    CountInput extra_copies_{*this,
                             "extra_copies",
                             "",
                             "Contiguous copies beyond packing and unpacking, in all",
                             Limits{0.0, 1000.0},
                             0};

    Output packets_{*this, "packets", "ceil(B/w_n)", "LogP messages", "Section 5"};
    Output logp_packet_cycles_{*this, "logp_packet_cycles", "o + L + o",
                               "One packet, by LogP alone", "Section 5"};
    Output logp_message_cycles_{*this, "logp_message_cycles", "",
                                "The message by LogP: o + max{g, o} ceil(B/w_n) + L + o",
                                "Section 5"};
    Output cycles_per_byte_{*this, "cycles_per_byte", "",
                            "(o_m + l) + L_n/w_n + (o_m + l), and o_m an extra copy", "Section 5"};
    Output memory_cycles_per_byte_{*this, "memory_cycles_per_byte", "",
                                   "Of them, what is not the network's", "Section 5"};
    Output message_cycles_{*this, "message_cycles", "",
                           "All bytes at that cost: packets one by one", "Section 5"};
    Output memory_overhead_cycles_{*this, "memory_overhead_cycles", "w_n (o_m + l)",
                                   "What takes the place of o_n", "Section 5"};
    Output logp_with_memory_overhead_cycles_{
        *this, "logp_with_memory_overhead_cycles", "",
        "The message by LogP with that overhead; no extra copies", "Section 5"};
};

}  // namespace

Models memory_logp_models() {
    Models models;
    models.push_back(std::make_unique<MemoryLogpModel>());
    models.push_back(std::make_unique<MemoryLogpMeasuredModel>());
    models.push_back(std::make_unique<MemoryLogpMessageModel>());
    models.push_back(memory_logp_curve_fit_model());
    models.push_back(memory_logp_stack_distance_model());
    return models;
}

}  // namespace weir::experiments::models
