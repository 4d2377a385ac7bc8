#include "experiments/statistics/pareto_front.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace weir::experiments::statistics {

std::vector<std::size_t> pareto_front(const std::vector<Tradeoff>& candidates) {
    std::vector<std::size_t> by_cost(candidates.size());
    std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
    std::sort(by_cost.begin(), by_cost.end(), [&candidates](std::size_t a, std::size_t b) {
        return std::tuple(candidates[a].cost, candidates[a].loss, a) <
               std::tuple(candidates[b].cost, candidates[b].loss, b);
    });
    std::vector<std::size_t> front;
    for (const std::size_t candidate : by_cost) {
        if (front.empty() || candidates[candidate].loss < candidates[front.back()].loss) {
            front.push_back(candidate);
        }
    }
    return front;
}

}  // namespace weir::experiments::statistics
