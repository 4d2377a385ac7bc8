#include "firmware/kernels/summation/summation.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

#include "hw/random_stream.h"

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

    // Position in the tree: its completion time, and its parent.
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
        std::int64_t now = 0;  // time of all additions so far, including those of messages
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

using nodes::Task;

class Summation::Program final : public ProgramOf<Summation> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const hw::Cycles add_cycles = kernel_.parameters_.add_cycles.value();
        const bool is_root = processor().node() == hw::NodeId(0);
        if (is_root) {
            processor().trace_mark(kProgramBegins, 0);
        }
        co_await add_own(plan_.values_first);
        for (std::size_t i = 0; i < partial_sums_.size(); ++i) {
            co_await processor().wait_for(partial_sums_[i].has_come);
            co_await processor().compute(add_cycles);
            sum_ += partial_sums_[i].sum;
            co_await add_own(plan_.children[i].values_after);
        }
        if (is_root) {
            processor().trace_mark(kProgramEnds, 0);
            co_await processor().store(kSum, sum_);
        } else if (plan_.parent >= 0) {
            co_await messages().send(
                hw::NodeId(plan_.parent), receive_,
                {static_cast<std::uint32_t>(processor().node().index()), sum_});
        }
        ++kernel_.done_;
    }

  private:
    struct PartialSum {
        std::uint32_t sum = 0;
        bool has_come = false;
    };

    Task add_own(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            sum_ += co_await processor().load(next_value_);
            if (next_value_ != kValues) {  // the first value needs no addition
                co_await processor().compute(kernel_.parameters_.add_cycles.value());
            }
            next_value_ += kWordBytes;
        }
    }

    Task receive() {
        const auto child = static_cast<std::int32_t>(co_await messages().argument(0));
        const std::uint32_t sum = co_await messages().argument(1);
        for (std::size_t i = 0; i < partial_sums_.size(); ++i) {
            if (plan_.children[i].node == child) {
                partial_sums_[i] = {sum, true};
            }
        }
    }

    const SummingNode& plan_ = kernel_.plan_.at(processor().node().index());
    std::vector<PartialSum> partial_sums_ = std::vector<PartialSum>(plan_.children.size());
    ActiveMessages::HandlerAddress receive_ = messages().add_handler([this] { return receive(); });
    std::uint32_t sum_ = 0;
    std::uint32_t next_value_ = kValues;
};

void Summation::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                        nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const TreeMachine tree_machine = parameters_.machine_of(machine.node_count());
    plan_ = optimal_summation(tree_machine, parameters_.time_cycles.value());
    if (parameters_.tree.value() != TreeKind::kOptimal) {
        const std::int64_t values = parameters_.values.value();
        plan_ = even_summation(parameters_.tree.value(), tree_machine,
                               values > 0 ? values : values_of(plan_));
    }
    sum_ = 0;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
        const hw::NodeId node(static_cast<std::int32_t>(i));
        hw::RandomStream stream(seed, node, "summation values");
        std::vector<std::uint32_t> values(plan_[i].values());
        for (std::uint32_t& value : values) {
            value = static_cast<std::uint32_t>(stream.next());
            sum_ += value;
        }
        memory.write<std::uint32_t>(node, kValues, values);
    }
    const std::uint32_t unset = ~sum_;
    memory.write<std::uint32_t>(hw::NodeId(0), kSum, {&unset, 1});
}

std::optional<std::string> Summation::check(nodes::MemoryAccess& memory) {
    std::uint32_t sum = 0;
    memory.read<std::uint32_t>(hw::NodeId(0), kSum, {&sum, 1});
    if (sum != sum_) {
        return "node 0's sum is " + std::to_string(sum) + ", one addition after the other gives " +
               std::to_string(sum_);
    }
    return std::nullopt;
}

}  // namespace weir::firmware
