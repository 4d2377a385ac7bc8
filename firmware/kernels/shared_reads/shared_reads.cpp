#include "firmware/kernels/shared_reads/shared_reads.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class SharedReads::Program final : public ProgramOf<SharedReads> {
  public:
    using ProgramOf::ProgramOf;

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
            kernel_.sums_[core.node()] += word;
            co_await core.compute(parameters.work_cycles.value());
            ++kernel_.done_;
        }
        core.trace_mark(kProgramEnds, 0);
    }
};

/// Chooses the lines' homes and their readers.
class SharedReads::Placement {
  public:
    Placement(SharedReads& kernel, std::int32_t homes, SharedAllocator allocator,
              nodes::MemoryAccess& memory)
        : kernel_(kernel), homes_(homes), allocator_(std::move(allocator)), memory_(memory) {}

    /// Each node reads lines that no other node reads.
    void place_own_lines(std::uint64_t seed) {
        for (std::int32_t reader = 0; reader < kernel_.node_count_; ++reader) {
            hw::RandomStream random(seed, hw::NodeId(reader), "homes of reads");
            for (std::int64_t read = 0; read < kernel_.parameters_.reads.value(); ++read) {
                place(random, {reader});
            }
        }
    }

    /// Places lines in rounds. In a round there are as many lines as nodes, and each node reads as
    /// many of them as a line has readers. A line has a random time in the program, and each of its
    /// readers reads it at most a tenth of the program later. A line's first and last reader
    /// therefore come at any time.
    void place_common_lines(std::uint64_t seed) {
        const std::size_t readers = kernel_.parameters_.readers.value();
        hw::RandomStream random(seed, hw::NodeId(0), "readers of lines");
        std::vector<std::int32_t> apart(kernel_.node_count_);
        std::iota(apart.begin(), apart.end(), 0);
        std::vector<std::vector<double>> times(apart.size());  // time of each read, by reader
        const auto rounds = kernel_.parameters_.reads.value() / static_cast<std::int64_t>(readers);
        for (std::int64_t round = 0; round < rounds; ++round) {
            shuffle(apart, random);
            for (std::int32_t first = 0; first < kernel_.node_count_; ++first) {
                std::vector<std::int32_t> nodes;
                const double time = random.unit();
                for (std::size_t i = 0; i < readers; ++i) {
                    nodes.push_back((first + apart[i]) % kernel_.node_count_);
                    times[nodes.back()].push_back(time + random.unit() / 10.0);
                }
                place(random, nodes);
            }
        }
        for (std::size_t node = 0; node < times.size(); ++node) {
            put_in_order(kernel_.addresses_[node], times[node]);
        }
    }

  private:
    template <class T>
    static void shuffle(std::vector<T>& values, hw::RandomStream& random) {
        for (std::size_t i = values.size(); i > 1; --i) {
            std::swap(values[i - 1], values[random.below(i)]);
        }
    }

    static void put_in_order(std::vector<std::uint32_t>& addresses,
                             const std::vector<double>& times) {
        std::vector<std::pair<double, std::uint32_t>> reads;
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            reads.emplace_back(times[i], addresses[i]);
        }
        std::ranges::sort(reads);
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            addresses[i] = reads[i].second;
        }
    }

    // Chooses a home that does not read the line, if there is one; a machine's only home may read
    // lines of its own.
    std::int32_t home_beside(std::vector<std::int32_t> readers, hw::RandomStream& random) const {
        std::erase_if(readers, [this](std::int32_t reader) { return reader >= homes_; });
        std::ranges::sort(readers);
        if (std::ssize(readers) == homes_) {
            readers.clear();
        }
        const auto free = static_cast<std::uint64_t>(homes_) - readers.size();
        auto home = static_cast<std::int32_t>(random.below(free));
        for (const std::int32_t reader : readers) {
            home += home >= reader ? 1 : 0;
        }
        return home;
    }

    void place(hw::RandomStream& random, const std::vector<std::int32_t>& readers) {
        const std::uint32_t address = allocator_.line(hw::NodeId(home_beside(readers, random)));
        const std::array<std::uint32_t, 1> word{static_cast<std::uint32_t>(random.next())};
        memory_.write<std::uint32_t>(hw::NodeId(readers.front()), address, word);
        for (const std::int32_t reader : readers) {
            kernel_.addresses_[reader].push_back(address);
            kernel_.expected_[reader] += word[0];
        }
    }

    SharedReads& kernel_;
    const std::int32_t homes_;
    SharedAllocator allocator_;
    nodes::MemoryAccess& memory_;
};

std::optional<hw::ParameterGroup::Fault> SharedReads::Parameters::check() const {
    if (reads.value() % threads.value() != 0) {
        return Fault{"reads",
                     std::to_string(reads.value()) + " don't divide among " +
                         std::to_string(threads.value()) + " threads",
                     "a multiple of workload.threads"};
    }
    if (reads.value() % readers.value() != 0) {
        return Fault{"reads",
                     std::to_string(reads.value()) + " don't divide among lines that " +
                         std::to_string(readers.value()) + " nodes read",
                     "a multiple of workload.readers"};
    }
    return std::nullopt;
}

std::uint32_t SharedReads::address(hw::NodeId reader, std::int64_t read) const {
    return addresses_[reader][read];
}

void SharedReads::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                          nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::int64_t homes =
        parameters_.homes.value() == 0 ? node_count_ : parameters_.homes.value();
    if (homes > node_count_ || node_count_ == 1) {
        throw InputFault("workload.homes",
                         "found " + std::to_string(homes) + " on a machine of " +
                             std::to_string(node_count_) + " nodes",
                         "a machine of more nodes, which read one another's memory");
    }
    if (parameters_.readers.value() >= node_count_) {
        throw InputFault("workload.readers",
                         "found " + std::to_string(parameters_.readers.value()) +
                             " on a machine of " + std::to_string(node_count_) + " nodes",
                         "fewer than the nodes, so that a line's home need not be among them");
    }
    addresses_.assign(node_count_, {});
    expected_.assign(node_count_, 0);
    sums_ = expected_;
    Placement placement(*this, static_cast<std::int32_t>(homes), SharedAllocator(machine), memory);
    if (parameters_.readers.value() == 1) {
        placement.place_own_lines(seed);
    } else {
        placement.place_common_lines(seed);
    }
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
