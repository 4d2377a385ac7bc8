#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/shared_memory.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// Remote reads of shared memory by several threads a node, with work between them: how far threads
/// and prefetches hide what a read takes, and what it waits at homes that many ask. Every read is
/// of a line that its node has not had, at a random other node or at one of a few; so each takes
/// its request, a turn at its home, and its reply.
///
/// With `readers` above 1 so many nodes read each line, each once, at random times near each other.
/// Of the home's pointers each reader takes one, so that every reader behind them traps where the
/// directory is software's: floor(readers / (pointers + 1)) of a line's.
///
/// The check: each node's sum is that of the words it was to read.
class SharedReads final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "shared-reads: remote reads of shared memory") {}

        hw::Parameter<std::int64_t> reads{
            *this, "reads", 240, {1, 1'000'000}, "Reads of each node, a multiple of threads"};
        hw::Parameter<hw::Cycles> work_cycles{
            *this, "work_cycles", 0, {0, 1'000'000}, "Work of a thread after each read"};
        hw::Parameter<std::int64_t> threads{
            *this,
            "threads",
            1,
            {1, 4},
            "Threads of each node, which share its reads; core.contexts must be the same"};
        hw::Parameter<std::int64_t> prefetched_reads{
            *this,
            "prefetched_reads",
            0,
            {0, 16},
            "Reads whose lines a thread asks for ahead of the one it makes; 0: none"};
        hw::Parameter<std::int64_t> homes{
            *this,
            "homes",
            0,
            {0, 16'384},
            "Nodes that have all the lines, from node 0 on; 0: each read is of any other node"};
        hw::Parameter<std::int64_t> readers{
            *this,
            "readers",
            1,
            {1, 16'384},
            "Nodes that read each line, at random times near each other; reads are a multiple"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return parameters_.threads.value();
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.reads.value())};
    }
    struct Facts {
        double reads = 0.0;  ///< of each node
        double threads = 0.0;
        double work_cycles = 0.0;  ///< after a read
        double prefetched_reads = 0.0;
        double homes = 0.0;  ///< 0: all nodes
    };
    [[nodiscard]] Facts facts() const {
        return {static_cast<double>(parameters_.reads.value()),
                static_cast<double>(parameters_.threads.value()),
                static_cast<double>(parameters_.work_cycles.value().count()),
                static_cast<double>(parameters_.prefetched_reads.value()),
                static_cast<double>(parameters_.homes.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) /
               static_cast<double>(parameters_.reads.value() * node_count_);
    }

  private:
    class Program;
    class Placement;
    // The word of a node's read, of those of all its threads.
    [[nodiscard]] std::uint32_t address(hw::NodeId reader, std::int64_t read) const;

    Parameters parameters_;
    std::int32_t node_count_ = 1;
    hw::PerNode<std::vector<std::uint32_t>> addresses_;  // by reader and read
    hw::PerNode<std::uint32_t> expected_;                // sums
    hw::PerNode<std::uint32_t> sums_;
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
