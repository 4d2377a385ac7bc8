#include "experiments/statistics/successive_halving.h"

#include <algorithm>
#include <cmath>

namespace weir::experiments::statistics {

namespace {

constexpr std::size_t kFinalists = 2;
// Range of the factor by which the number of candidates shrinks in a round.
constexpr double kMostGoOn = 2.0;
constexpr double kFewestGoOn = 4.0;
constexpr double kStep = 0.25;

std::vector<HalvingRound> rounds_with(std::size_t candidates, std::size_t most_values,
                                      double one_of) {
    std::vector<HalvingRound> rounds{{candidates, 1}};
    while (rounds.back().values < most_values) {
        const double left = std::floor(static_cast<double>(rounds.back().candidates) / one_of);
        const auto fewer = static_cast<std::size_t>(left);
        rounds.push_back({std::min(candidates, std::max(kFinalists, fewer)),
                          std::min(most_values, 2 * rounds.back().values)});
    }
    return rounds;
}

}  // namespace

std::size_t least_budget(std::size_t candidates, std::size_t most_values) {
    return std::min(candidates, kFinalists) * most_values;
}

std::vector<HalvingRound> halving_rounds(std::size_t candidates, std::size_t most_values,
                                         std::size_t budget) {
    for (double one_of = kMostGoOn; one_of <= kFewestGoOn; one_of += kStep) {
        std::vector<HalvingRound> rounds = rounds_with(candidates, most_values, one_of);
        if (values_of(rounds) <= budget) {
            return rounds;
        }
    }
    std::vector<HalvingRound> rounds;
    for (std::size_t tried = std::min(candidates, budget); tried > 0; --tried) {
        rounds = rounds_with(tried, most_values, kFewestGoOn);
        if (values_of(rounds) <= budget) {
            break;
        }
    }
    return rounds;
}

std::size_t values_of(std::span<const HalvingRound> rounds) {
    std::size_t values = 0;
    std::size_t before = 0;
    for (const HalvingRound& round : rounds) {
        values += round.candidates * (round.values - before);
        before = round.values;
    }
    return values;
}

}  // namespace weir::experiments::statistics
