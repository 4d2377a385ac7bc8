#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/sorting/keys_to_sort.h"

namespace weir::firmware {

/// Sample sort (irregular communication: LoPC Section 1). Each node sends some of its keys, its
/// samples, to all others. All nodes sort the samples, and choose splitters that divide them
/// evenly. A node then counts its keys between splitters, and tells each other node how many keys
/// to expect. The node sends its keys, and sorts the keys that it receives. The number of received
/// keys depends on the samples.
///
/// A node sorts its own keys by comparisons. Each key is loaded and stored once, and costs
/// compare_cycles for each of log2(number of keys) comparisons.
///
/// The check: the keys of all nodes, in the order of nodes, are the initial keys, sorted.
class SampleSort final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "sample-sort: keys sorted by splitters chosen from samples") {}

        hw::Parameter<std::int64_t> keys{*this,
                                         "keys",
                                         8'192,
                                         {2, 1 << 22},
                                         "Number of keys, a multiple of the number of nodes"};
        hw::Parameter<std::int64_t> samples{
            *this,
            "samples",
            8,
            {1, 1'000},
            "Number of samples taken by each node, at most its number of keys"};
        hw::Parameter<hw::Cycles> compare_cycles{
            *this,
            "compare_cycles",
            10,
            {0, 1'000'000},
            "Time of a comparison in a sort or a search, with its overhead",
            "assumed: two loads, comparison, branch and sometimes a store"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.keys.name(), .multiple_of_nodes = 1}};
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(keys_each_)};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(node_count_); }

  private:
    class Program;
    // The following addresses are equal on every node. counts() are the numbers of keys to receive
    // from each node; counts_to_send() those to send to each node; received() is space for each
    // node's keys.
    [[nodiscard]] std::uint32_t own_keys() const { return 0; }
    [[nodiscard]] std::uint32_t samples(std::int64_t node) const {
        return word(keys_each_ + node * parameters_.samples.value());
    }
    [[nodiscard]] std::uint32_t counts(std::int64_t node) const {
        return samples(node_count_) + word(node);
    }
    [[nodiscard]] std::uint32_t counts_to_send(std::int64_t node) const {
        return counts(node_count_) + word(node);
    }
    [[nodiscard]] std::uint32_t received(std::int64_t node) const {
        return counts_to_send(node_count_) + word(node * keys_each_);
    }
    [[nodiscard]] std::uint32_t result() const { return received(node_count_); }
    [[nodiscard]] static std::uint32_t word(std::int64_t index) {
        return static_cast<std::uint32_t>(index * 4);
    }

    Parameters parameters_;
    std::int64_t keys_each_ = 0;
    KeysToSort keys_;
    std::vector<std::int64_t> kept_;  // number of keys on each node at the end
};

}  // namespace weir::firmware
