#pragma once

#include <cstdint>
#include <limits>
#include <vector>

/// Stack distances: how many other blocks are referenced between a reference and the one before it
/// to the same block. A block that LRU replaces among `ways` others of its set is still there if
/// and only if that number is below `ways`, whatever happens in other sets; so the distances of one
/// reference stream give its hits for every associativity at once, and nothing is ever replaced to
/// find out.
///
/// Source: Coffman and Denning, "Operating Systems Theory" (1973), which Memory logP (2003, section
/// 8) takes its stack distance curves from; counted with a binary indexed tree as Bennett and
/// Kruskal, "LRU Stack Processing" (1975), do: O(N log N) for N references.
namespace weir::experiments::models {

/// The distance of a reference to a block that was not referenced before.
constexpr std::uint64_t kFirstReference = std::numeric_limits<std::uint64_t>::max();

/// The distance of every reference, counting only blocks of the same set: those whose numbers are
/// equal modulo `sets` (1 or more; 1 is a fully associative store).
[[nodiscard]] std::vector<std::uint64_t> stack_distances_within_sets(
    const std::vector<std::uint64_t>& blocks, std::uint64_t sets);

}  // namespace weir::experiments::models
