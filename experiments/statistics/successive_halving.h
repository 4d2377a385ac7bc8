#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weir::experiments::statistics {

/// A round of successive halving: its number of candidates, and each candidate's number of values
/// at its end, earlier rounds included. A value is a run with one seed.
struct HalvingRound {
    std::size_t candidates = 0;
    std::size_t values = 0;

    bool operator==(const HalvingRound&) const = default;
};

/// Smallest budget that finds the best candidate: all values of two candidates.
[[nodiscard]] std::size_t least_budget(std::size_t candidates, std::size_t most_values);

/// Rounds of a search for the best candidate with at most `budget` values; `budget` is
/// least_budget() or more. Each round doubles the values of a candidate, up to `most_values`, and
/// keeps half of the candidates. With a small budget it keeps fewer, down to a quarter; with a
/// still smaller one, fewer candidates are tried at all. The last round has two candidates. After
/// Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013.
/// Doubling values while candidates are dropped is from Jamieson and Talwalkar, AISTATS 2016.
[[nodiscard]] std::vector<HalvingRound> halving_rounds(std::size_t candidates,
                                                       std::size_t most_values, std::size_t budget);

/// Number of values of all rounds together.
[[nodiscard]] std::size_t values_of(std::span<const HalvingRound> rounds);

}  // namespace weir::experiments::statistics
