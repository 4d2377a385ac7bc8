#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace weir::experiments::statistics {

/// A candidate's cost, and its losses by seed. Both are to be small.
struct Tradeoff {
    double cost = 0.0;
    std::map<std::uint64_t, double> losses;
};

/// Loss of one candidate less that of another one.
struct LossDifference {
    double mean = 0.0;
    double half_width = 0.0;  ///< of its 95 % interval; 0 of single seeds, which have none

    [[nodiscard]] bool is_told_more() const { return mean > half_width; }
    [[nodiscard]] bool is_told_less() const { return -mean > half_width; }
    [[nodiscard]] bool is_untold() const { return !is_told_more() && !is_told_less(); }
};

/// Over the seeds that both have, pair by pair (Student's t); where these are fewer than two, of
/// both means (Welch). With a single seed on a side, the plain difference.
[[nodiscard]] LossDifference loss_difference(const Tradeoff& candidate, const Tradeoff& other);

/// A candidate that no other one is told to beat.
struct FrontMember {
    std::size_t candidate = 0;  ///< by its index
    /// Whether it loses less than every step that costs at most as much, told by the seeds. Another
    /// member is not told from such a step, or from one that is not told from it.
    bool is_step = false;
    /// Other members that the seeds do not tell from it, by their index among the candidates.
    std::vector<std::size_t> equal;
};

/// The candidates that no other one beats, the cheapest first: one beats that costs at most as much
/// and is told to lose less, or loses exactly the same. Of equal ones the first.
[[nodiscard]] std::vector<FrontMember> pareto_front(const std::vector<Tradeoff>& candidates);

}  // namespace weir::experiments::statistics
