#include "firmware/kernels/summation/summation.h"

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Summation::Program final : public ActiveMessageProgram {
  public:
    Program(Summation& summation, nodes::Processor& processor,
            const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          summation_(summation),
          plan_(summation.plan_.at(processor.node().index())),
          partial_sums_(plan_.children.size()),
          receive_(messages().add_handler([this] { return receive(); })) {}

    Task thread() override {
        const hw::Cycles add_cycles = summation_.parameters_.add_cycles.value();
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
        ++summation_.done_;
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
                co_await processor().compute(summation_.parameters_.add_cycles.value());
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

    Summation& summation_;
    const SummingNode& plan_;
    std::vector<PartialSum> partial_sums_;
    ActiveMessages::HandlerAddress receive_;
    std::uint32_t sum_ = 0;
    std::uint32_t next_value_ = kValues;
};

void Summation::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                        nodes::MemoryAccess& memory) {
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

std::unique_ptr<nodes::NodeProgram> Summation::program(
    nodes::Processor& processor, const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
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

double Summation::progress() const {
    return static_cast<double>(done_) / static_cast<double>(plan_.size());
}

}  // namespace weir::firmware
