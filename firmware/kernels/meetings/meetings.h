#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// Repeated barriers of all nodes, by shared memory, by messages or by the barrier network. Before
/// each barrier every node computes for a random time.
///
/// The check: no node has left a barrier before all had arrived, and all nodes have passed all
/// barriers.
class Meetings final : public BuiltInKernel {
  public:
    enum class Barrier : std::uint8_t { kSharedTree, kMessages, kHardware };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "meetings: repeated barriers of all nodes") {}

        hw::Choice<Barrier> barrier{
            *this,
            "barrier",
            Barrier::kMessages,
            {{Barrier::kSharedTree, "shared_tree"},
             {Barrier::kMessages, "messages"},
             {Barrier::kHardware, "hardware"}},
            "Kind of barrier. shared_tree: a tree of words in shared memory. messages: short "
            "messages along a binomial tree. hardware: the machine's hardware barrier"};
        hw::Parameter<std::int64_t> meetings{
            *this, "meetings", 20, {1, 1'000'000}, "Number of barriers"};
        hw::Parameter<hw::Cycles> work_cycles{*this,
                                              "work_cycles",
                                              0,
                                              {0, 1'000'000},
                                              "Longest computation of a node before a barrier; its "
                                              "time is drawn uniformly from 0 to this value"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override {
        return parameters_.barrier.value() == Barrier::kSharedTree;
    }
    [[nodiscard]] bool needs_barrier() const override {
        return parameters_.barrier.value() == Barrier::kHardware;
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.meetings.value())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.meetings.value() * node_count_);
    }
    /// Notes that a node has arrived at the meeting, counted from 0, or has left it.
    void comes(std::int64_t meeting) { ++come_.at(meeting); }
    void leaves(hw::NodeId node, std::int64_t meeting);

  private:
    class Program;

    Parameters parameters_;
    std::optional<TreeBarrier> tree_;
    std::vector<SharedCount> come_;  // nodes that have arrived at each meeting
    SharedFault left_early_;
};

}  // namespace weir::firmware
