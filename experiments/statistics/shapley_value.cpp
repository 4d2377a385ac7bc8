#include "experiments/statistics/shapley_value.h"

#include <cstddef>

namespace weir::experiments::statistics {

namespace {

constexpr PlayerSet only(std::size_t player) { return PlayerSet{1} << player; }

// True if the player may join the set next.
bool may_join(std::span<const PlayerSet> before, PlayerSet set, std::size_t player) {
    return (set & only(player)) == 0 && (before[player] & ~set) == 0;
}

}  // namespace

std::vector<PlayerSet> permitted_sets(std::span<const PlayerSet> before) {
    std::vector<PlayerSet> sets;
    for (PlayerSet set = 0; set < only(before.size()); ++set) {
        bool is_permitted = true;
        for (std::size_t player = 0; player < before.size(); ++player) {
            is_permitted =
                is_permitted && ((set & only(player)) == 0 || (before[player] & ~set) == 0);
        }
        if (is_permitted) {
            sets.push_back(set);
        }
    }
    return sets;
}

std::vector<double> shapley_values(std::span<const PlayerSet> before,
                                   const std::function<double(PlayerSet players)>& value_of) {
    const std::vector<PlayerSet> sets = permitted_sets(before);
    const std::size_t all = std::size_t{1} << before.size();
    std::vector<double> values(all, 0.0);
    std::vector<double> orders_to(all, 0.0);    // numbers of orders from the empty set to the set
    std::vector<double> orders_from(all, 0.0);  // numbers of orders from the set to all players
    const auto for_each_step = [&](PlayerSet set, const auto& visit) {
        for (std::size_t player = 0; player < before.size(); ++player) {
            if (may_join(before, set, player)) {
                visit(player, set | only(player));
            }
        }
    };
    orders_to.front() = 1.0;
    orders_from.back() = 1.0;
    for (const PlayerSet set : sets) {
        values[set] = value_of(set);
        for_each_step(set, [&](std::size_t /*player*/, PlayerSet next) {
            orders_to[next] += orders_to[set];
        });
    }
    for (std::size_t i = sets.size(); i-- > 0;) {
        for_each_step(sets[i], [&](std::size_t /*player*/, PlayerSet next) {
            orders_from[sets[i]] += orders_from[next];
        });
    }
    std::vector<double> shares(before.size(), 0.0);
    for (const PlayerSet set : sets) {
        for_each_step(set, [&](std::size_t player, PlayerSet next) {
            shares[player] += orders_to[set] * orders_from[next] / orders_from.front() *
                              (values[next] - values[set]);
        });
    }
    return shares;
}

}  // namespace weir::experiments::statistics
