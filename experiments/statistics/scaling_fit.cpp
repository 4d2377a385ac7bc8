#include "experiments/statistics/scaling_fit.h"

#include <algorithm>
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

/// Least squares of relative errors, by modified Gram-Schmidt.
class RelativeFit {
  public:
    RelativeFit(std::span<const ScalingPoint* const> points, const std::vector<std::size_t>& terms,
                double last_size)
        : terms_(terms), last_size_(last_size), freedom_(kPriorFreedom) {
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
        return kTypicalError * kTypicalError * std::max(1.0, last_size_ / point.size) +
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
                                            FittedSum& sum) {
    const double last = points.back()->size;
    double left_out = 0.0;
    double later = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<const ScalingPoint*> others = points;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const RelativeFit fit(others, sum.terms, last);
        if (!fit.is_determined()) {
            return std::nullopt;
        }
        left_out += fit.forecast(*points[i]).log_density(points[i]->value);
        if (i >= kFirstPredicted) {
            const RelativeFit before({points.data(), i}, sum.terms, last);
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

std::optional<Candidate> candidate_of(const std::vector<const ScalingPoint*>& points,
                                      const ScalingPoint& target,
                                      const std::vector<std::size_t>& terms) {
    if (terms.size() > kFirstPredicted || terms.size() + 1 >= points.size()) {
        return std::nullopt;
    }
    const RelativeFit fit(points, terms, points.back()->size);
    if (!fit.is_determined()) {
        return std::nullopt;
    }
    Candidate candidate{{terms, fit.coefficients()}, fit.forecast(target)};
    const std::vector<double>& found = candidate.sum.coefficients;
    if (std::any_of(found.begin(), found.end(), [](double each) { return each < 0.0; })) {
        return std::nullopt;
    }
    const std::optional<double> density = log_density_of_unseen(points, candidate.sum);
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

std::optional<ScalingPrediction> predict_scaling(std::span<const ScalingPoint> points,
                                                 const ScalingPoint& target,
                                                 std::span<const std::vector<std::size_t>> sums) {
    const std::vector<const ScalingPoint*> all = all_of(points);
    std::vector<Candidate> candidates;
    for (const std::vector<std::size_t>& terms : sums) {
        if (auto candidate = candidate_of(all, target, terms)) {
            candidates.push_back(*std::move(candidate));
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
        prediction.sums.push_back(std::move(each.sum));
    }
    return prediction;
}

}  // namespace weir::experiments::statistics
