#pragma once

#include <concepts>
#include <cstddef>
#include <string>

#include "hw/random_stream.h"

namespace weir::memory {

/// What a replacement policy chooses from: the lines of a cache, each named by set * ways + way.
struct ReplacementShape {
    std::size_t sets;
    std::size_t ways;
};

/// A replacement policy: a class that keeps what it has to know of each line, and chooses which
/// line of a full set makes room. A cache holds it by value (replacement_policies.h), so that a hit
/// costs no virtual call.
///
/// kName is its name in an experiment file, kSentence says which line makes room. A policy that
/// can't have sets of any size says so by fault_of_ways(ways) (replacement_kind.h).
template <class Policy>
concept ReplacementPolicy =
    std::constructible_from<Policy, const ReplacementShape&, const hw::RandomStream&> &&
    requires(Policy policy, const Policy& chooser, std::size_t line, bool is_so) {
    {std::string(Policy::kName)};
    {std::string(Policy::kSentence)};
    // An access has used the line; `is_so`: its data were here (a hit), else they are on their
    // way and the access waits for them.
    {policy.used(line, is_so)};
    // A block has come into the line; `is_so`: another one has made room for it.
    {policy.filled(line, is_so)};
    // The way that makes room in this set, all of whose lines hold blocks. Asked again before
    // the set is used or filled, it gives the same answer.
    { chooser.victim(line) } -> std::same_as<std::size_t>;
};

}  // namespace weir::memory
