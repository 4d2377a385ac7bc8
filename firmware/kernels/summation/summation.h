#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/broadcast/broadcast_tree.h"

namespace weir::firmware {

/// What one node does in a summation: it adds values of its own, then for each child waits for its
/// sum, adds it, and adds some more values of its own, and sends the result to its parent.
struct SummingNode {
    struct Child {
        std::int32_t node = 0;
        std::int64_t values_after = 0;  ///< of its own, added after this child's sum
    };
    std::int32_t parent = -1;       ///< -1 of node 0, and of a node that takes no part
    std::int64_t values_first = 0;  ///< of its own, before the first child's sum
    std::vector<Child> children;    ///< in the order in which their sums are added

    [[nodiscard]] std::int64_t values() const;
};
using SummationPlan = std::vector<SummingNode>;

/// The most values that can be summed in `time`, where an addition takes a cycle (LogP Section 3.3,
/// Figure 4). A node that is done at t adds its last child's sum in the cycle before t, for which
/// that is done at t - (L + 2o + 1), and each child before it max(g, o + 1) sooner. Of all that
/// could take part, nodes are given to those done last; one that is done by o would bring no more
/// than its message costs.
[[nodiscard]] SummationPlan optimal_summation(const TreeMachine& machine, hw::Cycles time);

/// The values spread evenly, the first nodes one more where they don't divide; a node adds its own
/// first and then its children's sums, of a binomial tree those of the smallest subtree first.
[[nodiscard]] SummationPlan even_summation(TreeKind kind, const TreeMachine& machine,
                                           std::int64_t values);

[[nodiscard]] std::int64_t values_of(const SummationPlan& plan);

/// The sum of values that lie spread over the nodes' memories, at node 0 (LogP Section 3.3, Figure
/// 4): a node adds its own values and the sums of its children of the tree, and sends the result to
/// its parent. By the optimal schedule a node has as many values as it can add before, between and
/// after its children's messages; the other trees have the values spread evenly.
///
/// An addition takes add_cycles besides the load of the value, one cycle in all on LogP's machine.
/// The check: node 0 has the sum, modulo 2^32, of all values.
class Summation final : public Kernel {
  public:
    struct Parameters : TreeParameters {
        Parameters()
            : TreeParameters("summation: values of all nodes summed", "Who sends its sum to whom",
                             "LogP Figure 4", 5) {}

        hw::Parameter<hw::Cycles> time_cycles{
            *this,
            "time_cycles",
            28,
            {0, 1'000'000'000},
            "T of the optimal schedule, which decides how many values there are",
            "LogP Figure 4: 28"};
        hw::Parameter<std::int64_t> values{
            *this,
            "values",
            0,
            {0, 1'000'000'000},
            "Values to sum by a tree other than the optimal; 0: as many as that sums in T",
            hw::when("workload.tree").is_not("optimal")};
        hw::Parameter<hw::Cycles> add_cycles{*this,
                                             "add_cycles",
                                             1,
                                             {0, 1'000'000},
                                             "An addition, beside the load of a value",
                                             "LogP Section 3.3: 1"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    struct Facts {
        TreeKind tree = TreeKind::kOptimal;
        std::int64_t values = 0;  ///< of all nodes together
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const { return {parameters_.tree.value(), values_of(plan_)}; }
    [[nodiscard]] double progress() const override;

  private:
    class Program;
    static constexpr std::uint32_t kSum = 0;     // its address on node 0
    static constexpr std::uint32_t kValues = 8;  // and that of a node's values

    Parameters parameters_;
    SummationPlan plan_;  // by node
    std::uint32_t sum_ = 0;
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
