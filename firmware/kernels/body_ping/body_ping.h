#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Unloaded messages with bodies of each requested length, one at a time. Every message has its own
/// slot of time, long enough for its whole trip. Calibrates the machine against LoGPC Table 2, and
/// shows the pipeline of one long message: sending DMA, network, receiving DMA (LoGPC Section 2.2).
/// The check: each receiver's memory holds the sender's body, byte by byte.
class BodyPing final : public BuiltInKernel {
  public:
    enum class Pairs : std::uint8_t { kAll, kOne };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "body-ping: one message with a body at a time") {}

        hw::Parameter<std::vector<std::int64_t>> body_bytes{
            *this,
            "body_bytes",
            {8, 1024, 65'536},
            {8, 1 << 24},
            "Sizes of the bodies, multiples of 8; the header adds 8 bytes to each message"};
        hw::Choice<Pairs> pairs{*this,
                                "pairs",
                                Pairs::kAll,
                                {{Pairs::kAll, "all"}, {Pairs::kOne, "one"}},
                                "Sources and destinations of messages. all: every pair of nodes. "
                                "one: node 0 and the last node"};
        hw::Parameter<hw::Cycles> slot_cycles{
            *this,
            "slot_cycles",
            1000,
            {1, 10'000'000},
            "Time from the start of a message to the start of the next; must exceed the time of a "
            "message's whole trip"};
        hw::Parameter<double> slot_cycles_per_byte{*this,
                                                   "slot_cycles_per_byte",
                                                   1.0,
                                                   {0.0, 1000.0},
                                                   "Time added to slot_cycles for each byte of the "
                                                   "body; the sum is rounded to whole cycles"};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Work of the handler in addition to its accesses to the controller",
            hw::when("core.kind").is("behavioural")};
    };

    /// One message: source, destination and time.
    struct Slot {
        std::int32_t source;
        std::int32_t destination;
        std::uint32_t bytes;
        hw::Cycles begin;
        std::uint32_t send_address;
        std::uint32_t receive_address;
        bool stored = false;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kSingle; }
    [[nodiscard]] bool sends_bodies() const override { return true; }
    [[nodiscard]] double work() const override { return static_cast<double>(slots_.size()); }
    /// All messages, sorted by time; call after prepare().
    [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

  private:
    class Program;
    Parameters parameters_;
    std::vector<Slot> slots_;  // all messages, sorted by time
    // Indices in slots_ of the messages that each node sends.
    std::vector<std::vector<std::size_t>> to_send_;
    // Indices in slots_ of the messages that each node receives.
    std::vector<std::vector<std::size_t>> to_receive_;
};

/// body_ping.c on Sparcle nodes, with its twin's slots delayed by one slot, so that all nodes have
/// started before the first message. The check: every body is in its receiver's memory, byte by
/// byte.
class CompiledBodyPing final : public TwinKernel<BodyPing> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::uint32_t> received_at_;          // address of the received body, by slot
    std::vector<std::vector<std::uint8_t>> sent_by_;  // body that the node sends, by node
};

}  // namespace weir::firmware
