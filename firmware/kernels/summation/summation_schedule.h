#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace weir::firmware
