#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Remote reads by several threads on each node. Some threads work or send while others wait for
/// the network; up to L/g threads hide latency (LogP Section 3.2). Each node has an array. Every
/// thread reads elements of the other nodes' arrays one by one, beginning with its next neighbour
/// and wrapping around. For each read, a thread sends a request, waits, works, and adds the element
/// to its sum. All nodes use the same order, so that no node gets more requests than another. A
/// machine needs a context for each thread (core.contexts).
///
/// The check: each thread's sum is the sum of the elements that it was to read.
class Multithread final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "multithread: remote reads by several threads") {}

        hw::Parameter<std::int64_t> threads{
            *this,
            "threads",
            1,
            {1, 4},
            "Number of threads of each node, which share its reads; must equal core.contexts"};
        hw::Parameter<std::int64_t> reads{
            *this,
            "reads",
            1'200,
            {1, 1'000'000'000},
            "Number of remote reads by each node, a multiple of threads"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000'000}, "Work of a thread after each read"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override { return {"read"}; }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return parameters_.threads.value();
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.reads.value())};
    }
    struct Facts {
        double threads = 0.0;
        double work_cycles = 0.0;  ///< work of a thread after each read
    };
    [[nodiscard]] Facts facts() const {
        return {static_cast<double>(parameters_.threads.value()),
                static_cast<double>(parameters_.work_cycles.value().count())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.reads.value() * node_count_);
    }

    /// A node's array, and the fault in its threads' sums, if any; call after prepare().
    [[nodiscard]] std::span<const std::uint32_t> elements(std::int32_t node) const {
        return std::span(elements_).subspan(node * kElements, kElements);
    }
    [[nodiscard]] std::optional<std::string> check_sums(
        std::int32_t node, const std::vector<std::uint32_t>& sums) const;

  private:
    class Program;
    // Number of elements in each node's array.
    static constexpr std::size_t kElements = 64;
    static constexpr std::uint32_t kSums = kElements * 4;  // address of the threads' sums, after
                                                           // the array

    /// Node and element of a thread's read `number`; the node is never the thread's own.
    struct Place {
        hw::NodeId node;
        std::int32_t element;
    };
    [[nodiscard]] Place place(std::int32_t node, std::int32_t thread, std::int64_t number) const;
    [[nodiscard]] std::int64_t reads_of_a_thread() const {
        return parameters_.reads.value() / parameters_.threads.value();
    }

    Parameters parameters_;
    std::vector<std::uint32_t> elements_;  // elements of all nodes' arrays
};

/// multithread.c on Sparcle nodes; each thread has a hardware context.
class CompiledMultithread final : public TwinKernel<Multithread> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
