#include "firmware/kernels/multithread/multithread.h"

#include <array>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kElementBytes = 4;

}  // namespace

std::optional<hw::ParameterGroup::Fault> Multithread::Parameters::check() const {
    if (reads.value() % threads.value() != 0) {
        return Fault{"reads",
                     std::to_string(reads.value()) + " don't divide among " +
                         std::to_string(threads.value()) + " threads",
                     "a multiple of workload.threads"};
    }
    return std::nullopt;
}

class Multithread::Program final : public ProgramOf<Multithread> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override { return thread_of_context(0); }
    [[nodiscard]] std::int32_t thread_count() const override {
        return static_cast<std::int32_t>(threads_.size());
    }
    Task thread_of_context(std::int32_t context) override {
        const auto self = processor().node().index();
        Thread& thread = threads_.at(context);
        processor().trace_mark(kProgramBegins, context);
        std::uint32_t sum = 0;
        for (std::int64_t i = 0; i < kernel_.reads_of_a_thread(); ++i) {
            const Place place = kernel_.place(self, context, i);
            thread.has_come = false;
            co_await messages().send(
                place.node, read_,
                {static_cast<std::uint32_t>(self) << 8 | static_cast<std::uint32_t>(context),
                 static_cast<std::uint32_t>(place.element)});
            co_await processor().wait_for(thread.has_come);
            sum += thread.element;
            co_await processor().compute(kernel_.parameters_.work_cycles.value());
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, context);
        co_await processor().store(kSums + static_cast<std::uint32_t>(context) * kElementBytes,
                                   sum);
    }

  private:
    struct Thread {
        std::uint32_t element = 0;
        bool has_come = false;
    };

    // Handler at the element's node: loads the element and sends it back.
    Task read() {
        const std::uint32_t asking = co_await messages().argument(0);
        const std::uint32_t element = co_await messages().argument(1);
        const std::uint32_t value = co_await processor().load(element * kElementBytes);
        co_await messages().send(hw::NodeId(static_cast<std::int32_t>(asking >> 8)), reply_,
                                 {asking & 0xff, value});
    }

    Task reply() {
        const std::uint32_t context = co_await messages().argument(0);
        const std::uint32_t value = co_await messages().argument(1);
        threads_.at(context) = {value, true};
    }

    std::vector<Thread> threads_ = std::vector<Thread>(kernel_.threads_per_node());
    ActiveMessages::HandlerAddress read_ = messages().add_handler([this] { return read(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
};

Multithread::Place Multithread::place(std::int32_t node, std::int32_t thread,
                                      std::int64_t number) const {
    // Threads of a node take its reads in turn, so that consecutive reads go to consecutive
    // neighbours.
    const std::int64_t turn = number * threads_per_node() + thread;
    const auto step = static_cast<std::int32_t>(1 + turn % (node_count_ - 1));
    return {hw::NodeId((node + step) % node_count_),
            static_cast<std::int32_t>((turn + std::int64_t{7} * node) % kElements)};
}

void Multithread::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                          nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    elements_.resize(node_count_ * kElements);
    hw::RandomStream stream(seed, hw::NodeId(0), "multithread elements");
    for (std::uint32_t& element : elements_) {
        element = static_cast<std::uint32_t>(stream.next());
    }
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const std::size_t first = node * kElements;
        memory.write<std::uint32_t>(hw::NodeId(node), 0, {&elements_[first], kElements});
    }
}

std::optional<std::string> Multithread::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        std::vector<std::uint32_t> sums(threads_per_node());
        memory.read<std::uint32_t>(hw::NodeId(node), kSums, sums);
        if (auto fault = check_sums(node, sums)) {
            return fault;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Multithread::check_sums(std::int32_t node,
                                                   const std::vector<std::uint32_t>& sums) const {
    for (std::size_t thread = 0; thread < sums.size(); ++thread) {
        std::uint32_t expected = 0;
        for (std::int64_t i = 0; i < reads_of_a_thread(); ++i) {
            const Place read = place(node, static_cast<std::int32_t>(thread), i);
            expected += elements_[read.node.index() * kElements + read.element];
        }
        if (sums[thread] != expected) {
            return "thread " + std::to_string(thread) + " of node " + std::to_string(node) +
                   " has read a sum of " + std::to_string(sums[thread]) + ", the elements give " +
                   std::to_string(expected);
        }
    }
    return std::nullopt;
}

ElfImage CompiledMultithread::load_image() { return built_in_program("multithread"); }

void CompiledMultithread::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                     ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const auto threads = static_cast<std::uint32_t>(workload().threads.value());
    const auto reads = static_cast<std::uint32_t>(workload().reads.value());
    const auto work = static_cast<std::uint32_t>(workload().work_cycles.value().count());
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        memory.write_words(node, "weir_parameters", {threads, reads / threads, work});
        const std::span<const std::uint32_t> elements = twin().elements(index);
        memory.write_words(node, "multithread_elements", {elements.begin(), elements.end()});
    }
}

std::optional<std::string> CompiledMultithread::check_answer(ImageMemory& memory) {
    const std::uint32_t sums = memory.image().address_of("multithread_sums");
    const std::size_t threads = workload().threads.value();
    for (std::int32_t node = 0; node < memory.node_count(); ++node) {
        auto fault = twin().check_sums(node, memory.read_words(hw::NodeId(node), sums, threads));
        if (fault) {
            return fault;
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
