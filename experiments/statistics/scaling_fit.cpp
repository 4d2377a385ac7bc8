#include "experiments/statistics/scaling_fit.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <utility>

#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

namespace {

using Row = std::vector<double>;
// Computes in double: see student_t.cpp.
using StudentT = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

constexpr double kTypicalError = 0.01;
constexpr double kPriorFreedom = 2.0;
constexpr std::size_t kFirstPredicted = 3;  // index of the first point predicted from those before
constexpr double kLeastPivot = 1e-9;        // share of a column that other columns do not explain

double dot(const Row& a, const Row& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Student's t distribution with a location and a scale.
struct Forecast {
    double mean = 0.0;
    double scale = 0.0;
    double freedom = 0.0;

    [[nodiscard]] double log_density(double value) const {
        return std::log(boost::math::pdf(StudentT(freedom), (value - mean) / scale) / scale);
    }
    [[nodiscard]] double below(double value) const {
        return boost::math::cdf(StudentT(freedom), (value - mean) / scale);
    }
};

/// Terms of a sum, and the fading of its error. The variance of the relative error is proportional
/// to the size to the power of -fading.
struct SumOfTerms {
    const std::vector<std::size_t>& terms;
    double fading;
};
constexpr std::array kFadings{1.0, 2.0};

/// Least squares of relative errors, by modified Gram-Schmidt.
class RelativeFit {
  public:
    RelativeFit(std::span<const ScalingPoint* const> points, const SumOfTerms& sum,
                double last_size)
        : terms_(sum.terms), fading_(sum.fading), last_size_(last_size), freedom_(kPriorFreedom) {
        const std::vector<std::size_t>& terms = sum.terms;
        Row rest;
        for (const ScalingPoint* point : points) {
            rest.push_back(point->value / deviation(*point));
        }
        for (const std::size_t term : terms) {
            Row column;
            for (const ScalingPoint* point : points) {
                column.push_back(point->terms[term] / deviation(*point));
            }
            add(std::move(column), rest);
        }
        freedom_ += static_cast<double>(points.size()) - static_cast<double>(terms.size());
        excess_ = (kPriorFreedom + dot(rest, rest)) / freedom_;
    }

    /// False if the points do not tell the terms apart.
    [[nodiscard]] bool is_determined() const { return is_determined_; }

    [[nodiscard]] std::vector<double> coefficients() const {
        std::vector<double> found(terms_.size());
        for (std::size_t k = terms_.size(); k-- > 0;) {
            found[k] = projections_[k];
            for (std::size_t j = k + 1; j < terms_.size(); ++j) {
                found[k] -= triangle_[j][k] * found[j];
            }
            found[k] /= triangle_[k][k];
        }
        return found;
    }

    [[nodiscard]] Forecast forecast(const ScalingPoint& point) const {
        Row solved;  // triangle transposed, solved for the point's terms
        double mean = 0.0;
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            double value = point.terms[terms_[k]];
            for (std::size_t j = 0; j < k; ++j) {
                value -= triangle_[k][j] * solved[j];
            }
            solved.push_back(value / triangle_[k][k]);
            mean += solved.back() * projections_[k];
        }
        const double own = mean * mean * relative_variance(point);
        return {mean, std::sqrt(excess_ * (own + dot(solved, solved))), freedom_};
    }

  private:
    [[nodiscard]] double relative_variance(const ScalingPoint& point) const {
        return kTypicalError * kTypicalError *
                   std::pow(std::max(1.0, last_size_ / point.size), fading_) +
               point.relative_variance;
    }
    [[nodiscard]] double deviation(const ScalingPoint& point) const {
        return point.value * std::sqrt(relative_variance(point));
    }

    void add(Row column, Row& rest) {
        const double whole = std::sqrt(dot(column, column));
        Row entries;
        for (const Row& direction : directions_) {
            entries.push_back(dot(direction, column));
            subtract(direction, entries.back(), column);
        }
        const double length = std::sqrt(dot(column, column));
        is_determined_ = is_determined_ && length > kLeastPivot * whole;
        entries.push_back(length);
        for (double& each : column) {
            each /= length;
        }
        projections_.push_back(dot(column, rest));
        subtract(column, projections_.back(), rest);
        triangle_.push_back(std::move(entries));
        directions_.push_back(std::move(column));
    }
    static void subtract(const Row& direction, double length, Row& from) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            from[i] -= length * direction[i];
        }
    }

    const std::vector<std::size_t>& terms_;
    double fading_;
    double last_size_;  // size of the largest machine that was run
    std::vector<Row> directions_;
    std::vector<Row> triangle_;  // entry [k][j]: share of direction j in term k
    Row projections_;
    double freedom_;
    double excess_ = 1.0;
    bool is_determined_ = true;
};

std::vector<const ScalingPoint*> all_of(std::span<const ScalingPoint> points) {
    std::vector<const ScalingPoint*> all;
    for (const ScalingPoint& point : points) {
        all.push_back(&point);
    }
    return all;
}

/// One sum, its distribution at the target, and the logarithm of its weight.
struct Candidate {
    FittedSum sum;
    Forecast forecast;
    double log_weight = 0.0;
};

// Logarithm of the density of points that the fit has not seen. A sum that some part of the points
// does not determine has none.
std::optional<double> log_density_of_unseen(const std::vector<const ScalingPoint*>& points,
                                            const SumOfTerms& terms, FittedSum& sum) {
    const double last = points.back()->size;
    double left_out = 0.0;
    double later = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<const ScalingPoint*> others = points;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const RelativeFit fit(others, terms, last);
        if (!fit.is_determined()) {
            return std::nullopt;
        }
        left_out += fit.forecast(*points[i]).log_density(points[i]->value);
        if (i >= kFirstPredicted) {
            const RelativeFit before({points.data(), i}, terms, last);
            if (!before.is_determined()) {
                return std::nullopt;
            }
            const Forecast forecast = before.forecast(*points[i]);
            later += forecast.log_density(points[i]->value);
            sum.last_error = forecast.mean / points[i]->value - 1.0;
        }
    }
    const auto count = static_cast<double>(points.size());
    return (left_out + later * count / (count - static_cast<double>(kFirstPredicted))) / 2.0;
}

// Growth of the fastest of the terms from one point to another, at least 1.
double growth(const std::vector<std::size_t>& terms, const ScalingPoint& from,
              const ScalingPoint& to) {
    double most = 1.0;
    for (const std::size_t term : terms) {
        most = std::max(most, to.terms[term] / from.terms[term]);
    }
    return most;
}

double value_of_sum(const std::vector<std::size_t>& terms, const std::vector<double>& coefficients,
                    const std::vector<double>& values) {
    double sum = 0.0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
        sum += coefficients[k] * values[terms[k]];
    }
    return sum;
}

// Relative variance of a run around the sum. Few runs of a point tell it poorly, so it is that of
// all points together. Empty if no point has several runs.
std::optional<double> unexplained_variance(std::span<const ScalingPoint> points,
                                           const std::vector<std::size_t>& terms,
                                           const std::vector<double>& coefficients) {
    double squares = 0.0;
    double freedom = 0.0;
    for (const ScalingPoint& point : points) {
        const double of_point = value_of_sum(terms, coefficients, point.terms);
        for (const ScalingRun& run : point.runs) {
            const double of_run = value_of_sum(terms, coefficients, run.terms);
            squares += std::pow((run.value - of_run - point.value + of_point) / point.value, 2);
        }
        freedom += point.runs.empty() ? 0.0 : static_cast<double>(point.runs.size()) - 1.0;
    }
    return freedom > 0.0 ? std::optional(squares / freedom) : std::nullopt;
}

/// Points and target of a sum, with the variance between runs that the sum does not explain.
struct WeightedPoints {
    std::vector<ScalingPoint> points;
    ScalingPoint target;
};

std::optional<WeightedPoints> weighted(std::span<const ScalingPoint> points,
                                       const ScalingPoint& target, const SumOfTerms& sum) {
    WeightedPoints all{{points.begin(), points.end()}, target};
    const std::vector<std::size_t>& terms = sum.terms;
    const RelativeFit fit(all_of(points), sum, points.back().size);
    if (!fit.is_determined()) {
        return std::nullopt;
    }
    if (const auto of_a_run = unexplained_variance(points, terms, fit.coefficients())) {
        for (ScalingPoint& point : all.points) {
            const auto runs = static_cast<double>(std::max<std::size_t>(point.runs.size(), 1));
            point.relative_variance = *of_a_run / runs;
        }
        all.target.relative_variance = *of_a_run;
    }
    return all;
}

std::optional<Candidate> candidate_of(std::span<const ScalingPoint> given,
                                      const ScalingPoint& larger, const SumOfTerms& sum) {
    const std::vector<std::size_t>& terms = sum.terms;
    if (terms.size() > kFirstPredicted || terms.size() + 1 >= given.size()) {
        return std::nullopt;
    }
    const std::optional<WeightedPoints> all = weighted(given, larger, sum);
    if (!all) {
        return std::nullopt;
    }
    const std::vector<const ScalingPoint*> points = all_of(all->points);
    const ScalingPoint& target = all->target;
    const RelativeFit fit(points, sum, points.back()->size);
    Candidate candidate{{terms, fit.coefficients()}, fit.forecast(target)};
    const std::vector<double>& found = candidate.sum.coefficients;
    if (std::any_of(found.begin(), found.end(), [](double each) { return each < 0.0; })) {
        return std::nullopt;
    }
    const std::optional<double> density = log_density_of_unseen(points, sum, candidate.sum);
    candidate.sum.value = candidate.forecast.mean;
    candidate.log_weight = density.value_or(0.0) - std::log(growth(terms, *points.back(), target));
    return density ? std::optional(std::move(candidate)) : std::nullopt;
}

void weigh(std::vector<Candidate>& candidates, std::span<const std::vector<std::size_t>> sums) {
    std::map<std::size_t, double> alike;  // number of sums by their number of terms
    for (const std::vector<std::size_t>& terms : sums) {
        alike[terms.size()] += 1.0;
    }
    for (Candidate& each : candidates) {
        each.log_weight -= std::log(alike[each.sum.terms.size()]);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.log_weight > b.log_weight; });
    double all = 0.0;
    for (Candidate& each : candidates) {
        each.sum.weight = std::exp(each.log_weight - candidates.front().log_weight);
        all += each.sum.weight;
    }
    for (Candidate& each : candidates) {
        each.sum.weight /= all;
    }
}

// Value that the weighted distributions exceed with probability 1 - `share`.
double quantile(const std::vector<Candidate>& candidates, double share) {
    double low = candidates.front().forecast.mean;
    double high = low;
    constexpr double kFar = 100.0;
    for (const Candidate& each : candidates) {
        low = std::min(low, each.forecast.mean - kFar * each.forecast.scale);
        high = std::max(high, each.forecast.mean + kFar * each.forecast.scale);
    }
    constexpr int kSteps = 100;
    for (int step = 0; step < kSteps; ++step) {
        const double middle = (low + high) / 2.0;
        double below = 0.0;
        for (const Candidate& each : candidates) {
            below += each.sum.weight * each.forecast.below(middle);
        }
        (below < share ? low : high) = middle;
    }
    return (low + high) / 2.0;
}

}  // namespace

namespace {

// Adds a sum, or the weight of one with the same terms and another fading. Coefficients, value and
// error are those of the heavier one, which comes first.
void add(FittedSum sum, std::vector<FittedSum>& sums) {
    const auto same = std::find_if(sums.begin(), sums.end(), [&sum](const FittedSum& each) {
        return each.terms == sum.terms;
    });
    if (same == sums.end()) {
        sums.push_back(std::move(sum));
    } else {
        same->weight += sum.weight;
    }
}

}  // namespace

ScalingPoint mean_point(double size, std::vector<ScalingRun> runs) {
    ScalingPoint point{size, std::vector<double>(runs.front().terms.size(), 0.0)};
    const auto count = static_cast<double>(runs.size());
    for (const ScalingRun& run : runs) {
        point.value += run.value / count;
        for (std::size_t i = 0; i < point.terms.size(); ++i) {
            point.terms[i] += run.terms[i] / count;
        }
    }
    point.runs = std::move(runs);
    return point;
}

std::optional<ScalingPrediction> predict_scaling(std::span<const ScalingPoint> points,
                                                 const ScalingPoint& target,
                                                 std::span<const std::vector<std::size_t>> sums) {
    std::vector<Candidate> candidates;
    for (const std::vector<std::size_t>& terms : sums) {
        for (const double fading : kFadings) {
            if (auto candidate = candidate_of(points, target, {terms, fading})) {
                candidates.push_back(*std::move(candidate));
            }
        }
    }
    if (candidates.empty()) {
        return std::nullopt;
    }
    weigh(candidates, sums);
    constexpr double kMiddle = 0.5;
    const double tail = (1.0 - kConfidence) / 2.0;
    ScalingPrediction prediction{quantile(candidates, kMiddle),
                                 quantile(candidates, tail),
                                 quantile(candidates, 1.0 - tail),
                                 {}};
    for (Candidate& each : candidates) {
        add(std::move(each.sum), prediction.sums);
    }
    std::stable_sort(prediction.sums.begin(), prediction.sums.end(),
                     [](const FittedSum& a, const FittedSum& b) { return a.weight > b.weight; });
    return prediction;
}

}  // namespace weir::experiments::statistics
