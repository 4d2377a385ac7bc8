#pragma once

#include <concepts>
#include <cstddef>
#include <string>

#include "hw/random_stream.h"

namespace weir::memory {

/// Lines of a cache; a line's number is set * ways + way.
struct ReplacementShape {
    std::size_t sets;
    std::size_t ways;
};

/// A replacement policy: keeps its state for each line, and chooses the line to replace in a full
/// set. A cache holds its policy by value (replacement_policies.h), so that a hit needs no virtual
/// call.
///
/// kName is the name in an experiment file, and kSentence describes the replaced line. A policy
/// that does not support every number of ways has fault_of_ways(ways) (replacement_kind.h).
template <class Policy>
concept ReplacementPolicy =
    std::constructible_from<Policy, const ReplacementShape&, const hw::RandomStream&> &&
    requires(Policy policy, const Policy& chooser, std::size_t line, bool is_so) {
    {std::string(Policy::kName)};
    {std::string(Policy::kSentence)};
    // An access has used the line. `is_so`: the data had arrived (a hit); otherwise they are in
    // flight, and the access waits for them.
    {policy.used(line, is_so)};
    // A block was put into the line. `is_so`: the block replaced another one.
    {policy.filled(line, is_so)};
    // Returns the way to replace in this set, all of whose lines hold blocks. Repeated calls,
    // without a use or fill of the set in between, return the same way.
    { chooser.victim(line) } -> std::same_as<std::size_t>;
};

}  // namespace weir::memory
