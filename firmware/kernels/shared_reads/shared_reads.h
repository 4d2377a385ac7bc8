#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/shared_memory.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// Remote reads of shared memory by several threads on each node, with work between them. Shows how
/// far threads and prefetches hide the latency of reads, and the waiting time at contended homes.
/// Every read is of a line that its node has not cached, at a random other node or at one of a few
/// homes. Each read therefore takes a request, service at the home, and a reply.
///
/// With `readers` above 1, this number of nodes read each line, once each, at random times close to
/// each other. Each reader takes one of the home's pointers. With a software-extended directory, a
/// reader traps when the pointers are full: floor(readers / (pointers + 1)) readers of each line.
///
/// The check: each node's sum is the sum of the words that it was to read.
class SharedReads final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "shared-reads: remote reads of shared memory") {}

        hw::Parameter<std::int64_t> reads{*this,
                                          "reads",
                                          240,
                                          {1, 1'000'000},
                                          "Number of reads by each node, a multiple of threads"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000}, "Work of a thread after each read"};
        hw::Parameter<std::int64_t> threads{
            *this,
            "threads",
            1,
            {1, 4},
            "Number of threads of each node, which share its reads; must equal core.contexts"};
        hw::Parameter<std::int64_t> prefetched_reads{
            *this,
            "prefetched_reads",
            0,
            {0, 16},
            "Prefetch distance of a thread in reads. 0: no prefetches"};
        hw::Parameter<std::int64_t> homes{*this,
                                          "homes",
                                          0,
                                          {0, 16'384},
                                          "Number of nodes that are the homes of all lines, from "
                                          "node 0 on. 0: each read goes to a random other node"};
        hw::Parameter<std::int64_t> readers{
            *this,
            "readers",
            1,
            {1, 16'384},
            "Number of nodes that read each line once, at random times close to each other; must "
            "divide the number of reads"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return parameters_.threads.value();
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.reads.value())};
    }
    struct Facts {
        double reads = 0.0;  ///< number of reads by each node
        double threads = 0.0;
        double work_cycles = 0.0;  ///< work of a thread after each read
        double prefetched_reads = 0.0;
        double homes = 0.0;  ///< number of nodes that are homes of lines; 0: all nodes
    };
    [[nodiscard]] Facts facts() const {
        return {static_cast<double>(parameters_.reads.value()),
                static_cast<double>(parameters_.threads.value()),
                static_cast<double>(parameters_.work_cycles.value().count()),
                static_cast<double>(parameters_.prefetched_reads.value()),
                static_cast<double>(parameters_.homes.value())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.reads.value() * node_count_);
    }

  private:
    class Program;
    class Placement;
    // Address of the word that a node loads in a read; `read` counts the reads of all its threads.
    [[nodiscard]] std::uint32_t address(hw::NodeId reader, std::int64_t read) const;

    Parameters parameters_;
    hw::PerNode<std::vector<std::uint32_t>> addresses_;  // address of each read, by reader
    hw::PerNode<std::uint32_t> expected_;                // sums
    hw::PerNode<std::uint32_t> sums_;
};

}  // namespace weir::firmware
