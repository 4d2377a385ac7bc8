#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/replacement/replacement_kind.h"
#include "memory/replacement/replacement_policy.h"

namespace weir::memory {

/// Pseudo-LRU: each set has a binary tree of bits over its lines. Each bit points away from the
/// half that was used last. The line that the tree points at is replaced.
class PseudoLruTree {
  public:
    static constexpr const char* kName = "pseudo_lru";
    static constexpr const char* kSentence = "the line that a binary tree of bits points at";
    static std::optional<WaysFault> fault_of_ways(std::size_t ways) {
        if (std::has_single_bit(ways)) {
            return std::nullopt;
        }
        return WaysFault{"is no power of two, which a tree of bits needs", "1, 2, 4, ..."};
    }

    PseudoLruTree(const ReplacementShape& shape, const hw::RandomStream& /*random*/)
        : ways_(shape.ways), trees_(shape.sets * shape.ways) {}

    void used(std::size_t line, bool /*is_hit*/) { point_away_from(line); }
    void filled(std::size_t line, bool /*makes_room*/) { point_away_from(line); }
    [[nodiscard]] std::size_t victim(std::size_t set) const {
        std::size_t node = 1;
        while (node < ways_) {
            node = 2 * node + trees_[set * ways_ + node];
        }
        return node - ways_;
    }

  private:
    // Nodes are numbered from 1, and node n has the children 2n and 2n + 1. A node's bit selects
    // the child under which a line is replaced.
    void point_away_from(std::size_t line) {
        const std::size_t base = line & ~(ways_ - 1);
        for (std::size_t node = line - base + ways_; node > 1; node /= 2) {
            trees_[base + node / 2] = node % 2 == 0 ? 1 : 0;
        }
    }

    std::size_t ways_;
    std::vector<std::uint8_t> trees_;  // ways - 1 bits for each set, from the root
};

}  // namespace weir::memory
