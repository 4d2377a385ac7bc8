#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weir::experiments::statistics {

/// A candidate's cost, and its loss for each seed. Cost and loss are to be minimised.
struct Tradeoff {
    double cost = 0.0;
    std::map<std::uint64_t, double> losses;
};

/// Difference between the losses of two candidates: the first one's less the second one's.
struct LossDifference {
    double mean = 0.0;
    double half_width = 0.0;  ///< half width at 95 %; 0 for single seeds, which have none

    [[nodiscard]] bool is_told_more() const { return mean > half_width; }
    [[nodiscard]] bool is_told_less() const { return -mean > half_width; }
    [[nodiscard]] bool is_untold() const { return !is_told_more() && !is_told_less(); }
};

/// Difference over common seeds, pair by pair (Student's t). With fewer than two common seeds, the
/// difference of both means (Welch). With a single seed on a side, the plain difference.
[[nodiscard]] LossDifference loss_difference(const Tradeoff& candidate, const Tradeoff& other);

/// A candidate that no other candidate significantly beats.
struct FrontMember {
    std::size_t candidate = 0;  ///< index of the candidate
    /// Whether its loss is significantly lower than that of every step with at most its cost. A
    /// member that is not a step cannot be distinguished from a step, directly or through other
    /// members.
    bool is_step = false;
    /// Indices of other members whose losses are not significantly different.
    std::vector<std::size_t> equal;
};

/// Candidates that no other beats, the cheapest first. A candidate beats another if it costs at
/// most as much, and its loss is significantly lower or exactly equal. The first of several equal
/// candidates is kept.
[[nodiscard]] std::vector<FrontMember> pareto_front(const std::vector<Tradeoff>& candidates);

}  // namespace weir::experiments::statistics
