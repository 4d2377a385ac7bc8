#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/broadcast/broadcast_tree.h"

namespace weir::firmware {

/// Node 0 has a datum, and every node gets it (LogP Section 3.3, Figure 3): a node that has it
/// sends it to its children of the tree, one after the other. The optimal tree is that of a machine
/// with the latency, overhead and gap given here, whatever the machine is that the kernel runs on.
///
/// The time is from node 0's first send to the last node's having the datum. The check: every node
/// has the datum in its memory.
class Broadcast final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "broadcast: a datum from node 0 to all") {}

        hw::Choice<TreeKind> tree{*this,
                                  "tree",
                                  TreeKind::kOptimal,
                                  tree_kinds(),
                                  "Who sends on to whom",
                                  "LogP Section 3.3: optimal"};
        hw::Parameter<hw::Cycles> tree_latency_cycles{
            *this,
            "tree_latency_cycles",
            6,
            {0, 1'000'000'000},
            "L of the machine the optimal tree is made for",
            "LogP Figure 3: 6"};
        hw::Parameter<hw::Cycles> tree_overhead_cycles{*this,
                                                       "tree_overhead_cycles",
                                                       2,
                                                       {0, 1'000'000'000},
                                                       "Its o, of a send and of a reception",
                                                       "LogP Figure 3: 2"};
        hw::Parameter<hw::Cycles> tree_gap_cycles{*this,   "tree_gap_cycles", 4, {1, 1'000'000'000},
                                                  "Its g", "LogP Figure 3: 4"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] std::vector<std::pair<std::string, double>> facts() const override {
        return {{"broadcast_tree", static_cast<double>(parameters_.tree.value())}};
    }
    [[nodiscard]] double progress() const override;

  private:
    class Program;
    static constexpr std::uint32_t kDatum = 0;  // its address on every node

    Parameters parameters_;
    std::vector<std::vector<std::int32_t>> children_;
    std::uint32_t datum_ = 0;
    std::size_t informed_ = 0;
};

}  // namespace weir::firmware
