#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/radix_sort/digit_sort.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// Keys sorted digit by digit as the kernel radix-sort does it, by shared memory: a node's keys and
/// its counts have their home there, and it stores each key to its place, at whichever home that
/// is. Where its keys of each digit begin a node learns in one of two ways:
///
///   counts  all meet, and it loads the counts of all nodes: what radix-sort computes
///   tree    pairs of nodes, pairs of pairs and so on add up their counts, and how many keys come
///           before those of each half is handed back down (as in SPLASH-2's radix)
///
/// All meet again at the end of a pass. Where the next key of a digit goes is the node's own.
///
/// A program that prefetches asks for the lines of its keys and for the only copy of the lines that
/// these will go to, as far as it knows by then, and for those of others' counts.
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
            "How a node learns where its keys of a digit begin: from the counts of all nodes, as "
            "in radix-sort; or down a tree of nodes, up which counts have been added"};
        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_keys{
            *this,
            "prefetch_keys",
            0,
            {0, 64},
            "Keys and counts ahead of the one at work whose line a node asks for, and the line "
            "that such a key goes to; 0: none"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::uint32_t key_address(std::int64_t pass, std::int32_t node,
                                            std::int64_t index) const override;
    /// After prepare(): where a node's count of a digit is.
    [[nodiscard]] std::uint32_t count_address(std::int32_t node, std::uint32_t digit) const {
        return sum_address(node, 0, digit);
    }

  protected:
    [[nodiscard]] const DigitSort::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine) override;

  private:
    class Program;

    // The tree's subtree of level l at a node is that node and those up to 2^l behind it; a node
    // has those of as many levels as its number ends in zeros, and node 0 all.

    /// Whether a node's subtree of a level is the left half of one above it.
    [[nodiscard]] bool has_above(std::int32_t node, std::int32_t level) const {
        return (node >> level & 1) == 0 && std::int64_t{1} << level < node_count();
    }
    /// The node of a subtree's right half, one level below it; where the machine ends there, none.
    [[nodiscard]] std::optional<std::int32_t> right_of(std::int32_t node,
                                                       std::int32_t level_below) const;
    /// Words of digits: a subtree's sums, 0 its node's counts; and how many keys come before those
    /// of its right half, one level below it.
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
    std::int32_t levels_ = 0;             // of node 0's largest subtree
    std::vector<std::uint32_t> offsets_;  // by node
    std::optional<TreeBarrier> barrier_;
    std::vector<std::uint32_t> summed_;  // a node's sums are there: at the home of who adds them
    std::vector<std::uint32_t> handed_;  // what comes before a node's keys is there: at its home
};

}  // namespace weir::firmware
