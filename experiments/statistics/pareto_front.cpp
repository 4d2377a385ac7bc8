#include "experiments/statistics/pareto_front.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "experiments/statistics/sample.h"

namespace weir::experiments::statistics {

namespace {

Sample sample_of(const Tradeoff& candidate) {
    Sample sample;
    for (const auto& [seed, loss] : candidate.losses) {
        sample.values.push_back(loss);
    }
    return sample;
}

/// Indices of the candidates, sorted by cost, then by mean loss.
std::vector<std::size_t> in_order(const std::vector<Tradeoff>& candidates) {
    std::vector<double> means;
    means.reserve(candidates.size());
    for (const Tradeoff& candidate : candidates) {
        means.push_back(sample_of(candidate).mean());
    }
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(candidates[a].cost, means[a], a) <
               std::tuple(candidates[b].cost, means[b], b);
    });
    return order;
}

bool is_the_same(const LossDifference& difference) {
    return difference.mean == 0.0 && difference.half_width == 0.0;
}

}  // namespace

LossDifference loss_difference(const Tradeoff& candidate, const Tradeoff& other) {
    Sample differences;
    for (const auto& [seed, loss] : candidate.losses) {
        const auto same = other.losses.find(seed);
        if (same != other.losses.end()) {
            differences.values.push_back(loss - same->second);
        }
    }
    if (const auto half_width = differences.half_width()) {
        return {differences.mean(), *half_width};
    }
    const Sample own = sample_of(candidate);
    const Sample others = sample_of(other);
    if (const auto half_width = welch_half_width(own, others)) {
        return {own.mean() - others.mean(), *half_width};
    }
    return {differences.values.empty() ? own.mean() - others.mean() : differences.mean(), 0.0};
}

std::vector<FrontMember> pareto_front(const std::vector<Tradeoff>& candidates) {
    const std::vector<std::size_t> order = in_order(candidates);
    std::vector<FrontMember> front;
    std::size_t step = 0;
    for (auto next = order.begin(); next != order.end(); ++next) {
        const Tradeoff& candidate = candidates[*next];
        const auto is_worse_than = [&](std::size_t other) {
            return loss_difference(candidate, candidates[other]).is_told_more();
        };
        const bool is_beaten =
            std::any_of(
                front.begin(), front.end(),
                [&](const FrontMember& member) {
                    return is_worse_than(member.candidate) ||
                           is_the_same(loss_difference(candidate, candidates[member.candidate]));
                }) ||
            // A later candidate of equal cost has a larger mean loss, but may be better over the
            // common seeds.
            std::any_of(next + 1, order.end(), [&](std::size_t other) {
                return candidates[other].cost == candidate.cost && is_worse_than(other);
            });
        if (is_beaten) {
            continue;
        }
        const bool is_step =
            front.empty() || loss_difference(candidate, candidates[step]).is_told_less();
        front.push_back({*next, is_step, {}});
        step = is_step ? *next : step;
    }
    for (FrontMember& member : front) {
        for (const FrontMember& other : front) {
            if (member.candidate != other.candidate &&
                loss_difference(candidates[member.candidate], candidates[other.candidate])
                    .is_untold()) {
                member.equal.push_back(other.candidate);
            }
        }
    }
    return front;
}

}  // namespace weir::experiments::statistics
