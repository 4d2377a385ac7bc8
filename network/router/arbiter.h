#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "network/router/flow_control.h"

namespace weir::network {

/// The winner among the requests of a cycle at an arbiter: of the earliest requests, the one with
/// the lowest rank.
struct First {
    static constexpr std::int32_t kNone = -1;

    std::int32_t asking = kNone;
    std::int64_t rank = 0;
    /// cycle since which it has requested; 0 if earlier requests have no precedence
    std::int64_t since = 0;

    /// Compares another request with the winner so far. True if it is the first request to be
    /// compared.
    bool compare(std::int32_t other, std::int64_t rank_of_other, std::int64_t other_since = 0) {
        const bool was_none = asking == kNone;
        if (was_none || other_since < since || (other_since == since && rank_of_other < rank)) {
            asking = other;
            rank = rank_of_other;
            since = other_since;
        }
        return was_none;
    }
    std::int32_t take() { return std::exchange(asking, kNone); }
};

/// Initial value of an arbiter's last winner.
[[nodiscard]] constexpr std::int32_t no_winner(Arbitration arbitration) {
    return arbitration == Arbitration::kSkewedRoundRobin ? -1 : 0;
}

/// Rank of input `asking` at an arbiter of `count` inputs; the lowest rank wins. `since` is the
/// cycle from which age counts; at equal age the lowest number wins.
///
/// Skewed round robin is the default arbiter of Becker's router (c_rr_arbiter.v). It stores the
/// winner's number plus one, and shifts the mask of preferred inputs by one more. So the winner is
/// last but one in the next order, and the input after it the last. With two inputs, the winner
/// stays the winner as long as it requests.
[[nodiscard]] inline std::int64_t rank_of(Arbitration arbitration, std::int32_t asking,
                                          std::int32_t last_winner, std::size_t count,
                                          std::int64_t since) {
    const auto inputs = static_cast<std::int32_t>(count);
    switch (arbitration) {
        case Arbitration::kRoundRobin: {
            const std::int32_t after = asking - last_winner - 1;
            return after < 0 ? after + inputs : after;
        }
        case Arbitration::kSkewedRoundRobin: {
            const std::int32_t after = asking - (last_winner + 1) % inputs - 1;
            return after < 0 ? after + inputs : after;
        }
        case Arbitration::kFixed:
            return asking;
        case Arbitration::kOldest:
        case Arbitration::kOldestGenerated:
        case Arbitration::kOldestHere:
            return since * static_cast<std::int64_t>(count) + asking;
    }
    return 0;
}

}  // namespace weir::network
