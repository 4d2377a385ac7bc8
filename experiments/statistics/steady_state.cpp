#include "experiments/statistics/steady_state.h"

#include <cmath>
#include <limits>
#include <vector>

#include "experiments/statistics/sample.h"
#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

namespace {

constexpr double kTestLevel = 0.05;

// Means of `count` groups of equal length at the end of the series.
std::vector<double> means_of_groups(std::span<const double> series, std::size_t count) {
    const std::size_t length = series.size() / count;
    const std::span<const double> grouped = series.last(count * length);
    std::vector<double> means;
    means.reserve(count);
    for (std::size_t group = 0; group < count; ++group) {
        double sum = 0.0;
        for (const double value : grouped.subspan(group * length, length)) {
            sum += value;
        }
        means.push_back(sum / static_cast<double>(length));
    }
    return means;
}

double sum_of_squares(std::span<const double> values, double centre) {
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - centre) * (value - centre);
    }
    return squares;
}

double mean_of(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

}  // namespace

double lag_1_correlation(std::span<const double> values) {
    const double centre = mean_of(values);
    const double squares = sum_of_squares(values, centre);
    double products = 0.0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        products += (values[i] - centre) * (values[i - 1] - centre);
    }
    return squares > 0.0 ? products / squares : 0.0;
}

bool is_positively_correlated(std::span<const double> values) {
    const double squares = sum_of_squares(values, mean_of(values));
    if (squares == 0.0) {
        return false;
    }
    double differences = 0.0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        differences += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
    const auto count = static_cast<double>(values.size());
    const double deviation = std::sqrt(4.0 * (count - 2.0) / (count * count - 1.0));
    return differences / squares < 2.0 + normal_quantile(kTestLevel) * deviation;
}

std::optional<BatchMeans> batch_means(std::span<const double> series, std::size_t batches) {
    const std::size_t quarter_count = batches * kBatchQuarters;
    if (series.size() < quarter_count) {
        return std::nullopt;
    }
    const std::vector<double> quarters = means_of_groups(series, quarter_count);
    const Sample means{means_of_groups(quarters, batches)};
    return BatchMeans{.mean = means.mean(),
                      .half_width = *means.half_width(),
                      .batches = batches,
                      .batch_observations = series.size() / quarter_count * kBatchQuarters,
                      .quarters_lag_1 = lag_1_correlation(quarters),
                      .is_correlated = is_positively_correlated(quarters)};
}

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
    // Goes backwards, with mean and sum of squares of the groups behind each cut (Welford).
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
        // A few groups at the very end may agree by chance, so they are no candidates.
        const bool is_enough = groups.size() - cut >= kGroup;
        const double error = squares / (count * count);
        if (is_enough && error <= least_error) {  // the earliest cut, if errors are equal
            least_error = error;
            best = cut;
        }
    }
    if (best >= half) {
        return std::nullopt;
    }
    return best * kGroup;
}

std::string SteadyState::doubt() const {
    if (!is_warm_up_found) {
        return "no steady state was found";
    }
    if (!mean) {
        return "there are too few observations";
    }
    return mean->is_correlated ? "batches depend on each other" : "";
}

SteadyState steady_state(std::span<const double> series, std::size_t batches, bool detect_warm_up) {
    SteadyState state;
    if (detect_warm_up) {
        const std::optional<std::size_t> found = warm_up_observations(series);
        state.is_warm_up_found = found.has_value();
        state.warm_up = found.value_or(0);
    }
    state.mean = batch_means(series.subspan(state.warm_up), batches);
    return state;
}

}  // namespace weir::experiments::statistics
