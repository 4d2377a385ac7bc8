#include "experiments/statistics/precision_rule.h"

#include <algorithm>
#include <cmath>

namespace weir::experiments::statistics {

namespace {

constexpr double kReserve = 1.1;
constexpr double kLeastGrowth = 1.5;
constexpr double kGrowthInDoubt = 2.0;
constexpr double kMostGrowth = 10.0;

// Factor by which the length must grow for the required half width.
double growth_needed(double mean, double half_width, double relative_precision, double most) {
    const double allowed = relative_precision * std::abs(mean);
    if (allowed == 0.0) {
        return most;
    }
    const double ratio = half_width / allowed;
    return ratio * ratio;
}

}  // namespace

bool is_precise(double mean, double half_width, double relative_precision) {
    return half_width <= relative_precision * std::abs(mean);
}

std::int64_t next_length(std::int64_t length, double mean, std::optional<double> half_width,
                         double relative_precision) {
    const double growth =
        half_width ? std::clamp(kReserve * growth_needed(mean, *half_width, relative_precision,
                                                         kMostGrowth),
                                kLeastGrowth, kMostGrowth)
                   : kGrowthInDoubt;
    return std::max<std::int64_t>(length + 1, std::llround(static_cast<double>(length) * growth));
}

std::int64_t replications_wanted(const Sample& sample, double relative_precision) {
    const auto count = static_cast<std::int64_t>(sample.values.size());
    if (count < kLeastReplications) {
        return kLeastReplications;
    }
    const double mean = sample.mean();
    const double half_width = *sample.half_width();
    if (is_precise(mean, half_width, relative_precision)) {
        return count;
    }
    const double growth = std::min(growth_needed(mean, half_width, relative_precision, 2.0), 2.0);
    return std::max(count + 1,
                    static_cast<std::int64_t>(std::ceil(static_cast<double>(count) * growth)));
}

}  // namespace weir::experiments::statistics
