#include "firmware/kernels/shared_reads/shared_reads.h"

#include <algorithm>
#include <array>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class SharedReads::Program final : public ActiveMessageProgram {
  public:
    Program(SharedReads& kernel, nodes::Processor& processor,
            const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters), kernel_(kernel) {}

    Task thread() override { return read(0); }
    [[nodiscard]] std::int32_t thread_count() const override {
        return static_cast<std::int32_t>(kernel_.threads_per_node());
    }
    Task thread_of_context(std::int32_t context) override { return read(context); }

  private:
    Task read(std::int64_t thread) {
        const Parameters& parameters = kernel_.parameters_;
        nodes::Processor& core = processor();
        const std::int64_t reads = parameters.reads.value() / thread_count();
        const std::int64_t first = thread * reads;
        const std::int64_t ahead = parameters.prefetched_reads.value();
        core.trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < std::min(ahead, reads); ++i) {
            co_await core.prefetch(kernel_.address(core.node(), first + i));
        }
        for (std::int64_t i = 0; i < reads; ++i) {
            if (ahead > 0 && i + ahead < reads) {
                co_await core.prefetch(kernel_.address(core.node(), first + i + ahead));
            }
            const std::uint32_t word = co_await core.load(kernel_.address(core.node(), first + i));
            kernel_.sums_[static_cast<std::size_t>(core.node().index())] += word;
            co_await core.compute(parameters.work_cycles.value());
            ++kernel_.done_;
        }
        core.trace_mark(kProgramEnds, 0);
    }

    SharedReads& kernel_;
};

std::optional<hw::ParameterGroup::Fault> SharedReads::Parameters::check() const {
    if (reads.value() % threads.value() != 0) {
        return Fault{"reads",
                     std::to_string(reads.value()) + " don't divide among " +
                         std::to_string(threads.value()) + " threads",
                     "a multiple of workload.threads"};
    }
    return std::nullopt;
}

std::uint32_t SharedReads::address(hw::NodeId reader, std::int64_t read) const {
    return addresses_[static_cast<std::size_t>(reader.index() * parameters_.reads.value() + read)];
}

void SharedReads::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                          nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    const std::int64_t homes =
        parameters_.homes.value() == 0 ? node_count_ : parameters_.homes.value();
    if (homes > node_count_ || node_count_ == 1) {
        throw InputFault("workload.homes",
                         "found " + std::to_string(homes) + " on a machine of " +
                             std::to_string(node_count_) + " nodes",
                         "a machine of more nodes, which read one another's memory");
    }
    SharedAllocator allocator(machine);
    addresses_.clear();
    expected_.assign(static_cast<std::size_t>(node_count_), 0);
    sums_ = expected_;
    for (std::int32_t reader = 0; reader < node_count_; ++reader) {
        const hw::NodeId node(reader);
        hw::RandomStream random(seed, node, "homes of reads");
        // A home reads from the others, and where it is the only one from itself.
        const bool is_home = reader < homes && homes > 1;
        for (std::int64_t read = 0; read < parameters_.reads.value(); ++read) {
            auto home = static_cast<std::int32_t>(
                random.below(static_cast<std::uint64_t>(homes - (is_home ? 1 : 0))));
            home += is_home && home >= reader ? 1 : 0;
            addresses_.push_back(allocator.line(hw::NodeId(home)));
            const std::array<std::uint32_t, 1> word{static_cast<std::uint32_t>(random.next())};
            memory.write<std::uint32_t>(node, addresses_.back(), word);
            expected_[static_cast<std::size_t>(reader)] += word[0];
        }
    }
}

std::unique_ptr<nodes::NodeProgram> SharedReads::program(
    nodes::Processor& processor, const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::optional<std::string> SharedReads::check(nodes::MemoryAccess& /*memory*/) {
    for (std::size_t node = 0; node < sums_.size(); ++node) {
        if (sums_[node] != expected_[node]) {
            return "node " + std::to_string(node) + " has read words whose sum is " +
                   std::to_string(sums_[node]) + ", and it is " + std::to_string(expected_[node]);
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
