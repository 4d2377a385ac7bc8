#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Messages without waiting. Fan-out: node 0 sends to all other nodes in turn, which shows the gap
/// g at a sender. Fan-in: all other nodes send to node 0, which shows g at a receiver.
class Flood final : public BuiltInKernel {
  public:
    enum class Pattern : std::uint8_t { kFanOut, kFanIn };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "flood: messages sent without waiting for replies") {}

        hw::Choice<Pattern> pattern{*this,
                                    "pattern",
                                    Pattern::kFanOut,
                                    {{Pattern::kFanOut, "fan_out"}, {Pattern::kFanIn, "fan_in"}},
                                    "Senders and receivers. fan_out: node 0 sends to all other "
                                    "nodes. fan_in: all other nodes send to node 0"};
        hw::Parameter<std::int64_t> messages{
            *this, "messages", 200, {1, 100'000'000}, "Number of messages sent by each sender"};
        hw::Parameter<std::int64_t> argument_words{*this,
                                                   "argument_words",
                                                   2,
                                                   {1, ActiveMessages::kMostArguments},
                                                   "Number of argument words in each message"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override {
        return Communication::kRequestReply;
    }
    [[nodiscard]] double work() const override { return static_cast<double>(expected_); }

  private:
    class Program;

    [[nodiscard]] bool sends(std::int32_t node) const {
        return (node == 0) == (parameters_.pattern.value() == Pattern::kFanOut);
    }

    Parameters parameters_;
    std::vector<std::uint64_t> sent_sum_;      // sum of all argument words sent to each receiver
    std::vector<std::uint64_t> received_sum_;  // sum of all argument words that each receiver got
    std::int64_t expected_ = 0;
};

}  // namespace weir::firmware
