#include "firmware/kernels/broadcast/broadcast_tree.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace weir::firmware {

namespace {

using Children = std::vector<std::vector<std::int32_t>>;

// A node that has the datum at time t sends it at t and then every max(g, o) cycles. Its receivers
// have the datum L + 2o cycles after the send. Nodes are numbered in the order in which they get
// the datum.
Children optimal_tree(const TreeMachine& machine) {
    Children children(machine.nodes);
    const hw::Cycles between_sends = std::max(machine.gap, machine.overhead);
    const hw::Cycles trip = machine.latency + machine.overhead + machine.overhead;
    using Sender = std::pair<hw::Cycles, std::int32_t>;  // (earliest time of the next send, node)
    std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders;
    senders.emplace(hw::Cycles(0), 0);
    for (std::int32_t next = 1; next < machine.nodes; ++next) {
        const auto [begin, sender] = senders.top();
        senders.pop();
        children[sender].push_back(next);
        senders.emplace(begin + between_sends, sender);
        senders.emplace(begin + trip, next);
    }
    return children;
}

}  // namespace

std::vector<hw::Choice<TreeKind>::Option> tree_kinds() {
    return {{TreeKind::kOptimal, "optimal"},
            {TreeKind::kBinary, "binary"},
            {TreeKind::kBinomial, "binomial"},
            {TreeKind::kFlat, "flat"}};
}

Children broadcast_tree(TreeKind kind, const TreeMachine& machine) {
    if (kind == TreeKind::kOptimal) {
        return optimal_tree(machine);
    }
    Children children(machine.nodes);
    std::int32_t round = 1;  // 2^j in round j of the binomial tree
    for (std::int32_t node = 1; node < machine.nodes; ++node) {
        round = node >= 2 * round ? 2 * round : round;
        const std::int32_t parent = kind == TreeKind::kBinary     ? (node - 1) / 2
                                    : kind == TreeKind::kBinomial ? node - round
                                                                  : 0;
        children[parent].push_back(node);
    }
    return children;
}

}  // namespace weir::firmware
