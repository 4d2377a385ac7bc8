#include "firmware/kernels/summation/summation_schedule.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

namespace weir::firmware {

std::int64_t SummingNode::values() const {
    return std::accumulate(
        children.begin(), children.end(), values_first,
        [](std::int64_t sum, const Child& child) { return sum + child.values_after; });
}

std::int64_t values_of(const SummationPlan& plan) {
    return std::accumulate(
        plan.begin(), plan.end(), std::int64_t{0},
        [](std::int64_t sum, const SummingNode& node) { return sum + node.values(); });
}

SummationPlan optimal_summation(const TreeMachine& machine, hw::Cycles time) {
    const std::int64_t overhead = machine.overhead.count();
    const std::int64_t to_parent = machine.latency.count() + 2 * overhead + 1;
    const std::int64_t between_children = std::max(machine.gap.count(), overhead + 1);
    SummationPlan plan(machine.nodes);
    std::vector<std::int64_t> done_at{time.count()};

    // A place in the tree: when it is done, and under which parent.
    struct Place {
        std::int64_t done_at;
        std::int32_t parent;
        bool operator<(const Place& other) const {
            return std::tuple(done_at, -parent) < std::tuple(other.done_at, -other.parent);
        }
    };
    std::priority_queue<Place> places;
    const auto offer = [&](std::int64_t done, std::int32_t parent) {
        if (done > overhead) {
            places.push({done, parent});
        }
    };
    offer(time.count() - to_parent, 0);
    for (std::int32_t node = 1; node < machine.nodes && !places.empty(); ++node) {
        const Place place = places.top();
        places.pop();
        plan[node].parent = place.parent;
        plan[place.parent].children.push_back({node, 0});
        done_at.push_back(place.done_at);
        offer(place.done_at - between_children, place.parent);
        offer(place.done_at - to_parent, node);
    }
    for (std::size_t i = 0; i < done_at.size(); ++i) {
        SummingNode& node = plan[i];
        std::reverse(node.children.begin(), node.children.end());
        std::int64_t now = 0;  // additions so far, and the messages among them
        std::int64_t* values = &node.values_first;
        *values = 1;  // the first value needs no addition
        for (SummingNode::Child& child : node.children) {
            const std::int64_t received_at =
                done_at[child.node] + overhead + machine.latency.count();
            *values += received_at - now;
            now = received_at + overhead + 1;
            values = &child.values_after;
        }
        *values += done_at[i] - now;
    }
    return plan;
}

SummationPlan even_summation(TreeKind kind, const TreeMachine& machine, std::int64_t values) {
    const std::vector<std::vector<std::int32_t>> tree = broadcast_tree(kind, machine);
    SummationPlan plan(tree.size());
    const auto nodes = static_cast<std::int64_t>(plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        plan[i].values_first = values / nodes + (static_cast<std::int64_t>(i) < values % nodes);
        for (const std::int32_t child : tree[i]) {
            plan[i].children.push_back({child, 0});
            plan[child].parent = static_cast<std::int32_t>(i);
        }
        if (kind == TreeKind::kBinomial) {
            std::reverse(plan[i].children.begin(), plan[i].children.end());
        }
    }
    return plan;
}

}  // namespace weir::firmware
