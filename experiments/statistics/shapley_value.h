#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace weir::experiments::statistics {

/// Set of players: bit i is set if the set contains player i.
using PlayerSet = std::uint32_t;

/// Sets that contain with each player all players that must come before it, in increasing order.
/// before[i] has the players that must come before player i. There are at most 20 players.
[[nodiscard]] std::vector<PlayerSet> permitted_sets(std::span<const PlayerSet> before);

/// Shapley values of all players with precedence constraints: mean increase of `value_of` when a
/// player joins the players before it, over all permitted orders. The values sum to the difference
/// between all players and none. `value_of` is called once for each permitted set.
///
/// Source: Shapley, "A value for n-person games" (1953). Faigle and Kern, "The Shapley value for
/// cooperative games under precedence constraints" (1992), have the constraints. All permitted
/// orders are equally likely here.
[[nodiscard]] std::vector<double> shapley_values(
    std::span<const PlayerSet> before, const std::function<double(PlayerSet players)>& value_of);

}  // namespace weir::experiments::statistics
