#include "experiments/statistics/warm_up_detection.h"

#include <limits>
#include <vector>

namespace weir::experiments::statistics {

namespace {

constexpr std::size_t kGroup = 5;

std::vector<double> means_of_fives(std::span<const double> series) {
    std::vector<double> means(series.size() / kGroup);
    for (std::size_t group = 0; group < means.size(); ++group) {
        for (const double value : series.subspan(group * kGroup, kGroup)) {
            means[group] += value / kGroup;
        }
    }
    return means;
}

}  // namespace

std::optional<std::size_t> warm_up_observations(std::span<const double> series) {
    const std::vector<double> groups = means_of_fives(series);
    // From the end on, with the mean and the sum of squares of what is behind each cut (Welford).
    double mean = 0.0;
    double squares = 0.0;
    double least_error = std::numeric_limits<double>::infinity();
    std::size_t best = groups.size();
    const std::size_t half = groups.size() / 2;
    for (std::size_t cut = groups.size(); cut > 0;) {
        --cut;
        const auto count = static_cast<double>(groups.size() - cut);
        const double distance = groups[cut] - mean;
        mean += distance / count;
        squares += distance * (groups[cut] - mean);
        // A few groups at the very end may be alike by chance, and say nothing.
        const bool is_enough = groups.size() - cut >= kGroup;
        const double error = squares / (count * count);
        if (is_enough && error <= least_error) {  // of equal ones the earliest
            least_error = error;
            best = cut;
        }
    }
    if (best >= half) {
        return std::nullopt;
    }
    return best * kGroup;
}

}  // namespace weir::experiments::statistics
