#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/radix_sort/digit_sort.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// The kernel radix-sort by shared memory: a node's keys and counts have their home at the node.
/// The node stores each key directly to its place, at any home. A node finds the position of its
/// first key of each digit in one of two ways:
///
/// - counts: all nodes meet, and each loads the counts of all nodes, as in radix-sort
/// - tree: pairs of nodes, pairs of pairs and so on add up their counts. The numbers of keys before
///   each half return down the tree (as in SPLASH-2's radix)
///
/// All nodes meet again at the end of a pass. The position of the next key of a digit is in the
/// node's own memory.
///
/// With prefetching, a program requests the lines of its keys and of other nodes' counts. It also
/// requests the only copies of the lines to which its next keys probably go.
class SharedRadixSort final : public DigitSort {
  public:
    enum class Prefix : std::uint8_t { kCounts, kTree };

    struct Parameters : DigitSort::Parameters {
        Parameters()
            : DigitSort::Parameters(
                  "shared-radix-sort: keys sorted digit by digit, by shared memory") {}

        hw::Choice<Prefix> prefix{
            *this,
            "prefix",
            Prefix::kCounts,
            {{Prefix::kCounts, "counts"}, {Prefix::kTree, "tree"}},
            "Method to find the positions of a node's keys. counts: each node loads the counts of "
            "all nodes. tree: sums of counts go up a tree of nodes, and positions come down"};
        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_keys{
            *this,
            "prefetch_keys",
            0,
            {0, 64},
            "Prefetch distance in keys and counts, for their lines and for the lines to which keys "
            "are stored. 0: no prefetches"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::uint32_t key_address(std::int64_t pass, std::int32_t node,
                                            std::int64_t index) const override;
    /// Address of a node's count of a digit; call after prepare().
    [[nodiscard]] std::uint32_t count_address(std::int32_t node, std::uint32_t digit) const {
        return sum_address(node, 0, digit);
    }

  protected:
    [[nodiscard]] const DigitSort::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine) override;

  private:
    class Program;

    // The subtree of level l at node i contains nodes i to i + 2^l - 1. A node has a subtree for
    // each level up to the number of trailing zeros of its number; node 0 has all levels.

    /// Whether a node's subtree of this level is the left half of a larger subtree.
    [[nodiscard]] bool has_above(std::int32_t node, std::int32_t level) const {
        return (node >> level & 1) == 0 && std::int64_t{1} << level < node_count_;
    }
    /// Root of a subtree's right half, one level below the subtree; none if the machine has no such
    /// node.
    [[nodiscard]] std::optional<std::int32_t> right_of(std::int32_t node,
                                                       std::int32_t level_below) const;
    /// sum_address(): address of a subtree's sum for a digit (level 0: the node's own count).
    /// handed_address(): address of the number of a digit's keys before those of the subtree's
    /// right half.
    [[nodiscard]] std::uint32_t sum_address(std::int32_t node, std::int32_t level,
                                            std::uint32_t digit) const;
    [[nodiscard]] std::uint32_t handed_address(std::int32_t node, std::int32_t level_below,
                                               std::uint32_t digit) const;
    [[nodiscard]] std::uint32_t shared(std::int32_t node, std::int64_t offset) const {
        return machine_.shared_address(hw::NodeId(node),
                                       offsets_[node] + static_cast<std::uint32_t>(offset));
    }
    [[nodiscard]] std::int64_t area_bytes() const { return whole_lines(keys_each() * kKeyBytes); }
    [[nodiscard]] std::int64_t digits_bytes() const {
        return whole_lines(std::int64_t{digits()} * kKeyBytes);
    }

    Parameters parameters_;
    nodes::MachineShape machine_;
    std::int32_t levels_ = 0;  // number of levels of node 0's largest subtree
    // Offset of each node's words in its part of shared memory.
    std::vector<std::uint32_t> offsets_;
    std::optional<TreeBarrier> barrier_;
    // Address of each node's flag that its sums are ready; at the node that adds them.
    std::vector<std::uint32_t> summed_;
    // Address of each node's flag that the number of keys before its own is ready; at the node.
    std::vector<std::uint32_t> handed_;
};

}  // namespace weir::firmware
