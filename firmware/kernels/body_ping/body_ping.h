#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Unloaded messages with a body of each asked-for length, one at a time: every message has a slot
/// of its own, long enough for its whole trip. Calibrates the machine against LoGPC Table 2, and
/// shows one long message's pipeline of sending DMA, network and receiving DMA (LoGPC Section 2.2).
/// After the run the receivers' memories hold what the senders' did, byte by byte.
class BodyPing final : public Kernel {
  public:
    enum class Pairs : std::uint8_t { kAll, kOne };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "body-ping: unloaded long messages, one at a time") {}

        hw::Parameter<std::vector<std::int64_t>> body_bytes{
            *this,
            "body_bytes",
            {8, 1024, 65'536},
            {8, 1 << 24},
            "Lengths of bodies to send, multiples of 8; a message is 8 bytes of header longer"};
        hw::Choice<Pairs> pairs{*this,
                                "pairs",
                                Pairs::kAll,
                                {{Pairs::kAll, "all"}, {Pairs::kOne, "one"}},
                                "Between every pair of nodes, or from node 0 to the last one"};
        hw::Parameter<hw::Cycles> slot_cycles{
            *this,
            "slot_cycles",
            1000,
            {1, 10'000'000},
            "From one message's start to the next one's; must exceed a message's whole trip"};
        hw::Parameter<double> slot_cycles_per_byte{
            *this,
            "slot_cycles_per_byte",
            1.0,
            {0.0, 1000.0},
            "Added to the slot for each byte of the body; the sum "
            "to the nearest whole cycle"};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            0,
            {0, 1'000'000},
            "Cycles the handler works beside its accesses to the controller",
            hw::when("core.kind").is("behavioural")};
    };

    /// One message: from whom to whom, and when.
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
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kSingle; }
    [[nodiscard]] bool sends_bodies() const override { return true; }
    [[nodiscard]] double progress() const override;
    /// All messages, by time; after prepare().
    [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

  private:
    class Program;
    Parameters parameters_;
    std::vector<Slot> slots_;                           // by time
    std::vector<std::vector<std::size_t>> to_send_;     // slots by source
    std::vector<std::vector<std::size_t>> to_receive_;  // slots by destination
    std::size_t arrived_ = 0;
};

/// body_ping.c on Sparcle nodes, with its twin's slots, which begin one of them late, so that all
/// nodes have started by then. The check: every body is in its receiver's memory, byte by byte.
class CompiledBodyPing final : public TwinKernel<BodyPing> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::uint32_t> received_at_;          // by slot
    std::vector<std::vector<std::uint8_t>> sent_by_;  // by node
};

}  // namespace weir::firmware
