#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Unloaded messages of each requested number of arguments between every pair of nodes, one at a
/// time. Every message has its own slot of time, long enough for its whole trip. Calibrates the
/// machine against LoGPC Table 1.
class Ping final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "ping: one short message at a time between every pair of nodes") {}

        hw::Parameter<std::vector<std::int64_t>> argument_words{
            *this,
            "argument_words",
            {0, 1, 2},
            {0, ActiveMessages::kMostArguments},
            "Numbers of argument words. Every pair of nodes exchanges a message with each of these "
            "numbers"};
        hw::Parameter<hw::Cycles> slot_cycles{
            *this,
            "slot_cycles",
            1000,
            {1, 10'000'000},
            "Time from the start of a message to the start of the next; must exceed the time of a "
            "message's whole trip"};
        hw::Parameter<std::vector<std::int64_t>> handler_work_cycles{
            *this,
            "handler_work_cycles",
            {},
            {0, 1'000'000},
            "Work of the handler in addition to its loads: one number for each entry of "
            "argument_words. Empty: no work",
            hw::when("core.kind").is("behavioural")};

        [[nodiscard]] std::optional<Fault> check() const override {
            const std::size_t count = handler_work_cycles.value().size();
            if (count != 0 && count != argument_words.value().size()) {
                return Fault{"handler_work_cycles", "has " + std::to_string(count) + " numbers",
                             "one for each of argument_words, or none"};
            }
            return std::nullopt;
        }
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override {
        return Communication::kRequestReply;
    }
    [[nodiscard]] double work() const override { return static_cast<double>(deliveries_.size()); }

  private:
    class Program;
    struct Delivery {
        std::int32_t times = 0;
        bool wrong = false;
    };

    [[nodiscard]] std::uint32_t word(std::size_t slot, std::int32_t index) const;

    Parameters parameters_;
    std::vector<Delivery> deliveries_;  // arrivals in each slot
};

/// ping.c on Sparcle nodes. Slots begin one slot late, so that all nodes have started before the
/// first message. The check: every node has the arguments of all messages to it, in the order of
/// their slots.
class CompiledPing final : public TwinKernel<Ping> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    // Arguments that each receiver must log, in order, by receiver.
    std::vector<std::vector<std::uint32_t>> expected_;
    std::vector<std::uint32_t> log_;  // address of each node's log
    // Number of messages without arguments that each node receives.
    std::uint32_t without_arguments_ = 0;
};

}  // namespace weir::firmware
