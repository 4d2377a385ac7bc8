#include "experiments/statistics/undisturbed.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "experiments/statistics/sample.h"
#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

namespace {

// Variance of the difference of two readings that were rounded down to whole units.
constexpr double kVarianceOfReadings = 2.0 / 12.0;
constexpr double kHalfUnit = 0.5;
constexpr std::size_t kLeastShare = 4;  // a quarter
constexpr std::size_t kAtomShare = 10;  // a tenth
constexpr std::size_t kLeastApart = 3;
constexpr double kRangesApart = 8.0;
constexpr double kUnitsApart = 2.0;
constexpr int kMostRounds = 100;
constexpr std::size_t kBatches = 20;

double average_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Unbiased variance; 0 for a single value.
double variance_of(std::span<const double> values) {
    return Sample{{values.begin(), values.end()}}.variance();
}

// Half width at 95 % of a mean of `count` values, from the variance of the mean.
double half_width_of(double variance_of_mean, std::size_t count) {
    const double freedom = std::max(1.0, static_cast<double>(count) - 1.0);
    return variance_of_mean == 0.0 ? 0.0 : student_t(freedom) * std::sqrt(variance_of_mean);
}

// The `count` adjacent ones of sorted values with the smallest range; of equal ranges, the least.
std::span<const double> densest(std::span<const double> sorted, std::size_t count) {
    std::size_t best = 0;
    for (std::size_t first = 1; first + count <= sorted.size(); ++first) {
        if (sorted[first + count - 1] - sorted[first] < sorted[best + count - 1] - sorted[best]) {
            best = first;
        }
    }
    return sorted.subspan(best, count);
}

// Half-sample mode of sorted values.
double half_sample_mode(std::span<const double> sorted) {
    while (sorted.size() > 2) {
        sorted = densest(sorted, (sorted.size() + 1) / 2);
    }
    return average_of(sorted);
}

// Number of the least of sorted values that are apart from all others; 0 if there are none.
std::size_t least_apart(std::span<const double> sorted) {
    for (std::size_t count = kLeastApart; count <= sorted.size() / 2; ++count) {
        const double range = sorted[count - 1] - sorted.front();
        if (sorted[count] - sorted[count - 1] > std::max(kRangesApart * range, kUnitsApart)) {
            return count;
        }
    }
    return 0;
}

double squared_variation_of(std::span<const double> values) {
    const double mean = average_of(values);
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return mean == 0.0 ? 0.0 : squares / static_cast<double>(values.size()) / (mean * mean);
}

}  // namespace

MeanOfDurations mean_of_durations(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double of_mean = (variance_of(values) + kVarianceOfReadings) / count;
    // The rounding has a known variance, so a single value has an interval, too.
    const double freedom = values.size() > 1 ? count - 1.0 : 1e6;
    return {average_of(values), student_t(freedom) * std::sqrt(of_mean), values.size()};
}

std::vector<double> undisturbed(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    if (values.size() < 2) {
        return values;
    }
    const double least = values.front();
    const auto up_to = [&values](double most) {
        return static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), most) -
                                        values.begin());
    };
    if (up_to(least) * kAtomShare >= values.size()) {
        values.resize(up_to(least));
        return values;
    }
    if (const std::size_t apart = least_apart(values); apart > 0) {
        values.resize(apart);
    }
    const std::size_t quarter = std::max<std::size_t>(2, values.size() / kLeastShare);
    double centre = half_sample_mode(std::span(values).first(quarter));
    std::size_t kept = 0;
    for (int round = 0; round < kMostRounds; ++round) {
        const std::size_t now = up_to(centre + (centre - least) + kHalfUnit);
        if (now == kept) {
            break;
        }
        kept = now;
        centre = average_of(std::span(values).first(kept));
    }
    values.resize(kept);
    return values;
}

MeanOfDurations undisturbed_mean(std::vector<double> values) {
    const std::vector<double> kept = undisturbed(std::move(values));
    MeanOfDurations mean = mean_of_durations(kept);
    mean.half_width = std::hypot(mean.half_width, mean.mean - kept.front());
    return mean;
}

MeanOfDurations densest_duration(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::span<const double> half = std::span(values).first((values.size() + 1) / 2);
    const std::span<const double> quarter = densest(half, (half.size() + 1) / 2);
    const double mode = half_sample_mode(half);
    return {mode, std::hypot(quarter.back() - quarter.front() + 1.0, mode - half.front()),
            values.size()};
}

MeanOfDurations squared_variation(std::span<const double> values) {
    if (values.size() < 2) {
        return {};
    }
    const std::size_t batches = std::min(kBatches, values.size());
    const double all = squared_variation_of(values);
    std::vector<double> pseudo_values;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        const std::size_t begin = batch * values.size() / batches;
        const std::size_t end = (batch + 1) * values.size() / batches;
        std::vector<double> others(values.begin(), values.begin() + static_cast<long>(begin));
        others.insert(others.end(), values.begin() + static_cast<long>(end), values.end());
        const auto count = static_cast<double>(batches);
        pseudo_values.push_back(count * all - (count - 1.0) * squared_variation_of(others));
    }
    const double of_mean = variance_of(pseudo_values) / static_cast<double>(batches);
    return {all, half_width_of(of_mean, batches), values.size()};
}

MeanOfDurations mean_of_population(std::span<const double> values, double all) {
    if (values.empty()) {
        return {};
    }
    const auto count = static_cast<double>(values.size());
    const double unseen = all > 1.0 ? std::max(0.0, (all - count) / (all - 1.0)) : 0.0;
    const double of_mean = variance_of(values) / count * unseen;
    return {average_of(values), half_width_of(of_mean, values.size()), values.size()};
}

}  // namespace weir::experiments::statistics
