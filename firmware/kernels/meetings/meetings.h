#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// All nodes meet, over and over, by a barrier in shared memory, by messages, or by a network of
/// its own. Before each meeting every node computes for a time that chance draws.
///
/// The check: no node has left a meeting before all had come to it, and all have been to all.
class Meetings final : public Kernel {
  public:
    enum class Barrier : std::uint8_t { kSharedTree, kMessages, kHardware };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "meetings: barriers, one after the other") {}

        hw::Choice<Barrier> barrier{
            *this,
            "barrier",
            Barrier::kMessages,
            {{Barrier::kSharedTree, "shared_tree"},
             {Barrier::kMessages, "messages"},
             {Barrier::kHardware, "hardware"}},
            "A tree of words in shared memory, four children to a node; short messages up and down "
            "a binomial tree; or the machine's barrier network"};
        hw::Parameter<std::int64_t> meetings{
            *this, "meetings", 20, {1, 1'000'000}, "Times that all meet"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this,
            "work_cycles",
            0,
            {0, 1'000'000},
            "The most that a node computes before a meeting: 0 up to this, drawn evenly"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool shares_memory() const override {
        return parameters_.barrier.value() == Barrier::kSharedTree;
    }
    [[nodiscard]] bool needs_barrier() const override {
        return parameters_.barrier.value() == Barrier::kHardware;
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.meetings.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(left_) /
               static_cast<double>(parameters_.meetings.value() * node_count_);
    }
    /// A node has come to the meeting, counted from 0, or has left it.
    void comes(std::int64_t meeting) { ++come_.at(meeting); }
    void leaves(hw::NodeId node, std::int64_t meeting);

  private:
    class Program;

    Parameters parameters_;
    std::int32_t node_count_ = 1;
    std::uint64_t seed_ = 0;
    std::optional<TreeBarrier> tree_;
    std::vector<SharedCount> come_;  // nodes that have come to each meeting
    SharedCount left_ = 0;           // times that a node has left one
    SharedFault left_early_;
};

}  // namespace weir::firmware
