#pragma once

#include <variant>

#include "memory/replacement/first_in_first_out.h"
#include "memory/replacement/least_recently_used.h"
#include "memory/replacement/pseudo_lru_tree.h"
#include "memory/replacement/random_replacement.h"
#include "memory/replacement/replacement_kind.h"
#include "memory/replacement/replacement_policy.h"
#include "memory/replacement/static_rrip.h"

namespace weir::memory {

/// The policy of one cache. Add a new policy to this list; its first entry is the default.
using AnyReplacement = std::variant<  //
    LeastRecentlyUsed,                //
    PseudoLruTree,                    //
    RandomReplacement,                //
    FirstInFirstOut,                  //
    StaticRrip>;

/// Creates the policy of a cache. `random`: random numbers for a policy that uses them.
[[nodiscard]] AnyReplacement make_replacement(const ReplacementKind& kind,
                                              const ReplacementShape& shape,
                                              const hw::RandomStream& random);

}  // namespace weir::memory
