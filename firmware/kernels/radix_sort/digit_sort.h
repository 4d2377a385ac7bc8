#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/kernels/sorting/keys_to_sort.h"

namespace weir::firmware {

/// Radix sort, lowest digit first (irregular communication: LoPC Section 1). In a pass each node
/// counts its keys by digit. It computes the position of its first key of each digit among all
/// nodes' keys. Then the node moves every key to its position, which is on some node. Common part
/// of radix-sort and shared-radix-sort, which move counts and keys between nodes.
///
/// The check: the keys of all nodes, in the order of nodes, are the initial keys, sorted.
class DigitSort : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Parameter<std::int64_t> keys{*this,
                                         "keys",
                                         8'192,
                                         {2, 1 << 24},
                                         "Number of keys, a multiple of the number of nodes"};
        hw::Parameter<std::int64_t> key_bits{
            *this, "key_bits", 16, {1, 32}, "Size of a key, a multiple of radix_bits"};
        hw::Parameter<std::int64_t> radix_bits{
            *this, "radix_bits", 4, {1, 11}, "Size of the digit by which one pass sorts"};
        hw::Parameter<hw::Cycles> digit_cycles{
            *this,
            "digit_cycles",
            5,
            {0, 1'000'000},
            "Time of shift, mask, address and test for a key or a count, in addition to its loads "
            "and stores",
            "assumed: one instruction of 1 cycle for each, and a branch of 1 cycle"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = common().keys.name(), .multiple_of_nodes = 1}};
    }
    [[nodiscard]] MessagePattern message_pattern() const final {
        return {.operations_per_node = static_cast<double>(keys_each())};
    }
    [[nodiscard]] double work() const final { return static_cast<double>(passes() * node_count_); }

    [[nodiscard]] std::int64_t passes() const {
        return common().key_bits.value() / common().radix_bits.value();
    }
    /// Address of a node's key `index` before a pass; pass = passes() is the sorted result. Call
    /// after prepare().
    [[nodiscard]] virtual std::uint32_t key_address(std::int64_t pass, std::int32_t node,
                                                    std::int64_t index) const = 0;

  protected:
    static constexpr std::uint32_t kKeyBytes = 4;

    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Places keys and counts in memory; node_count_ and keys_each() are known. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine) = 0;

    [[nodiscard]] std::int64_t keys_each() const { return keys_.each(); }
    [[nodiscard]] std::uint32_t digits() const {
        return 1U << static_cast<std::uint32_t>(common().radix_bits.value());
    }
    [[nodiscard]] std::uint32_t digit_of(std::uint32_t key, std::int64_t pass) const {
        const auto shift = static_cast<std::uint32_t>(pass * common().radix_bits.value());
        return key >> shift & (digits() - 1);
    }
    /// Throws InputFault if a node's memory lacks `needed` bytes for keys and counts.
    void check_room(hw::Bytes needed, const nodes::MachineShape& machine) const {
        keys_.check_room(needed, machine);
    }

  private:
    [[nodiscard]] KeysToSort::Place places_before(std::int64_t pass) const;

    KeysToSort keys_;
};

}  // namespace weir::firmware
