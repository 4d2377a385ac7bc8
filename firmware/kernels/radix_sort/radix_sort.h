#pragma once

#include <cstdint>

#include "firmware/kernel.h"
#include "firmware/kernels/sorting/keys_to_sort.h"

namespace weir::firmware {

/// Keys sorted digit by digit, the lowest first (irregular communication: LoPC Section 1). In a
/// pass each node counts its keys by digit, sends its counts to all others, works out where its
/// keys of each digit begin among all nodes' keys, and sends every key to its place, in a message
/// of its own: place and key. A pass ends at a node when as many keys have come as it has places.
///
/// The check: the keys of all nodes, one after the other, are those it began with, sorted.
class RadixSort final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "radix-sort: keys sorted digit by digit") {}

        hw::Parameter<std::int64_t> keys{
            *this, "keys", 8'192, {2, 1 << 24}, "Keys, a multiple of the nodes"};
        hw::Parameter<std::int64_t> key_bits{
            *this, "key_bits", 16, {1, 32}, "Bits of a key, a multiple of radix_bits"};
        hw::Parameter<std::int64_t> radix_bits{
            *this, "radix_bits", 4, {1, 11}, "Bits of a digit: of a pass"};
        hw::Parameter<hw::Cycles> digit_cycles{
            *this,
            "digit_cycles",
            5,
            {0, 1'000'000},
            "Shift, mask, address and test for a key or a count, beside its loads and stores",
            "assumed: an instruction each, 1 cycle, a branch 1"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(keys_each_)};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) / static_cast<double>(passes() * node_count_);
    }

  private:
    class Program;
    [[nodiscard]] std::int64_t passes() const {
        return parameters_.key_bits.value() / parameters_.radix_bits.value();
    }
    [[nodiscard]] std::uint32_t digits() const {
        return 1U << static_cast<std::uint32_t>(parameters_.radix_bits.value());
    }
    // Addresses, the same on every node: keys before and after a pass in turn; all nodes' counts,
    // of one pass and the next in turn, since those of the next come from nodes that are through
    // while others still read those of this one; where this node's next key of each digit goes.
    [[nodiscard]] std::uint32_t key_area(std::int64_t pass) const {
        return static_cast<std::uint32_t>(pass % 2 * keys_each_ * 4);
    }
    [[nodiscard]] std::uint32_t counts(std::int64_t pass, std::int64_t node) const {
        const std::int64_t piece = pass % 2 * node_count_ + node;
        return static_cast<std::uint32_t>((2 * keys_each_ + piece * digits()) * 4);
    }
    [[nodiscard]] std::uint32_t places() const { return counts(1, node_count_); }

    Parameters parameters_;
    std::int64_t node_count_ = 0;
    std::int64_t keys_each_ = 0;
    KeysToSort keys_;
    std::int64_t done_ = 0;  // passes, of all nodes
};

}  // namespace weir::firmware
