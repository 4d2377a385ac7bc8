#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/broadcast/broadcast_tree.h"
#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Plan of one node in a summation. The node adds values of its own. Then, for each child, it waits
/// for the child's sum, adds it, and adds more values of its own. Finally it sends the result to
/// its parent.
struct SummingNode {
    struct Child {
        std::int32_t node = 0;
        std::int64_t values_after = 0;  ///< own values added after this child's sum
    };
    std::int32_t parent = -1;       ///< -1 for node 0, and for a node without a part in the sum
    std::int64_t values_first = 0;  ///< own values added before the first child's sum
    std::vector<Child> children;    ///< children in the order in which their sums are added

    [[nodiscard]] std::int64_t values() const;
};
using SummationPlan = std::vector<SummingNode>;

/// Largest number of values that can be summed in `time` if an addition takes a cycle (LogP Section
/// 3.3, Figure 4). A node that completes at t adds its last child's sum in the cycle before t. This
/// child must therefore complete at t - (L + 2o + 1). Each earlier child completes max(g, o + 1)
/// cycles before the next one. The tree's positions with the latest completion times are given to
/// the nodes. A child that completes by o would contribute no more than its message costs.
[[nodiscard]] SummationPlan optimal_summation(const TreeMachine& machine, hw::Cycles time);

/// Plan with the values distributed evenly; the first nodes get one more if necessary. A node adds
/// its own values first, then its children's sums; in a binomial tree, the smallest subtree first.
[[nodiscard]] SummationPlan even_summation(TreeKind kind, const TreeMachine& machine,
                                           std::int64_t values);

[[nodiscard]] std::int64_t values_of(const SummationPlan& plan);

/// Sum, at node 0, of values distributed over the nodes' memories (LogP Section 3.3, Figure 4). A
/// node adds its own values and the sums of its children in the tree, and sends the result to its
/// parent. In the optimal schedule a node has as many values as it can add before, between and
/// after its children's messages. In the other trees values are distributed evenly.
///
/// An addition takes add_cycles in addition to the load of the value: one cycle in total on LogP's
/// machine. The check: node 0 has the sum of all values, modulo 2^32.
class Summation final : public BuiltInKernel {
  public:
    struct Parameters : TreeParameters {
        Parameters()
            : TreeParameters("summation: sum of the values of all nodes, along a tree",
                             "Kind of tree along which nodes send their sums", "LogP Figure 4", 5) {
        }

        hw::Parameter<hw::Cycles> time_cycles{
            *this,
            "time_cycles",
            28,
            {0, 1'000'000'000},
            "Time T of the optimal schedule, which determines the number of values",
            "LogP Figure 4: 28"};
        hw::Parameter<std::int64_t> values{
            *this,
            "values",
            0,
            {0, 1'000'000'000},
            "Number of values. 0: as many as the optimal tree sums in time T",
            hw::when("workload.tree").is_not("optimal")};
        hw::Parameter<hw::Cycles> add_cycles{
            *this,
            "add_cycles",
            1,
            {0, 1'000'000},
            "Time of an addition, in addition to the load of a value",
            "LogP Section 3.3: 1"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    struct Facts {
        TreeKind tree = TreeKind::kOptimal;
        std::int64_t values = 0;  ///< number of values on all nodes together
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const { return {parameters_.tree.value(), values_of(plan_)}; }
    [[nodiscard]] double work() const override { return static_cast<double>(plan_.size()); }

  private:
    class Program;
    static constexpr std::uint32_t kSum = 0;     // address of the sum on node 0
    static constexpr std::uint32_t kValues = 8;  // address of a node's values

    Parameters parameters_;
    SummationPlan plan_;  // plan of each node
    std::uint32_t sum_ = 0;
};

}  // namespace weir::firmware
