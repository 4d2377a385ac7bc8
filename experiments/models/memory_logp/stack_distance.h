#pragma once

#include <cstdint>
#include <limits>
#include <vector>

/// Stack distances: number of other blocks referenced between a reference and the previous one to
/// the same block. In a set of `ways` blocks with LRU replacement, the block is still present if
/// and only if this number is below `ways`. Other sets have no effect. The distances of one
/// reference stream therefore give its hits for every associativity at once, without simulating
/// replacement.
///
/// Source: Coffman and Denning, "Operating Systems Theory" (1973), the source of Memory logP's
/// (2003, section 8) stack distance curves. Counted with a binary indexed tree as in Bennett and
/// Kruskal, "LRU Stack Processing" (1975): O(N log N) for N references.
namespace weir::experiments::models {

/// Distance of the first reference to a block.
constexpr std::uint64_t kFirstReference = std::numeric_limits<std::uint64_t>::max();

/// Distance of every reference, counting only blocks of the same set. A set holds the blocks whose
/// numbers are equal modulo `sets` (1 or more; 1 is a fully associative store).
[[nodiscard]] std::vector<std::uint64_t> stack_distances_within_sets(
    const std::vector<std::uint64_t>& blocks, std::uint64_t sets);

}  // namespace weir::experiments::models
