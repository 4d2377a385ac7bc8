#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weir::experiments::statistics {

/// A round of successive halving: how many candidates are left in it, and how many values (runs
/// with a seed each) every one of them then has, those of earlier rounds included.
struct HalvingRound {
    std::size_t candidates = 0;
    std::size_t values = 0;

    bool operator==(const HalvingRound&) const = default;
};

/// Fewer values than these do not tell the best of so many candidates: two of them with all values.
[[nodiscard]] std::size_t least_budget(std::size_t candidates, std::size_t most_values);

/// The rounds of a search for the best of some candidates with at most `budget` values, which is at
/// least least_budget(). Each round doubles the values of a candidate, up to `most_values`, and
/// half of the candidates go on. Where the budget is too small for that fewer go on, down to a
/// quarter, and then fewer candidates are tried at all; two are in the last round. After Karnin,
/// Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; that values
/// double while fewer candidates go on is Jamieson and Talwalkar's, AISTATS 2016.
[[nodiscard]] std::vector<HalvingRound> halving_rounds(std::size_t candidates,
                                                       std::size_t most_values, std::size_t budget);

/// The values of all rounds together.
[[nodiscard]] std::size_t values_of(std::span<const HalvingRound> rounds);

}  // namespace weir::experiments::statistics
