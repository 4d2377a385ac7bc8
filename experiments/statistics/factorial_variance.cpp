#include "experiments/statistics/factorial_variance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>

#include "experiments/statistics/student_t.h"

namespace weir::experiments::statistics {

namespace {

constexpr std::size_t kDraws = 1000;
constexpr std::uint64_t kStream = 0x5EED0FACB007ULL;

std::size_t product_of(const std::vector<std::size_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{1}, std::multiplies<>());
}

/// Random variation of runs and of combinations' means.
struct Noise {
    double of_runs = 0.0;   ///< mean variance of a run within its combination
    double of_means = 0.0;  ///< mean variance of a combination's mean
    bool is_known = false;
};

// A combination with one run is assumed to have the mean variance of the others.
Noise noise_of(const std::vector<Sample>& samples) {
    Noise noise;
    double known = 0.0;
    for (const Sample& sample : samples) {
        if (sample.values.size() > 1) {
            noise.of_runs += sample.variance();
            known += 1.0;
        }
    }
    noise.is_known = known > 0.0;
    noise.of_runs /= std::max(known, 1.0);
    for (const Sample& sample : samples) {
        const double variance = sample.values.size() > 1 ? sample.variance() : noise.of_runs;
        noise.of_means += variance / static_cast<double>(sample.values.size());
    }
    noise.of_means /= static_cast<double>(samples.size());
    return noise;
}

/// Variances by source: factors, pairs of factors, higher interactions, seeds.
class Decomposition {
  public:
    explicit Decomposition(const std::vector<std::size_t>& level_counts)
        : counts_(level_counts), combinations_(product_of(level_counts)) {}

    [[nodiscard]] std::size_t combinations() const { return combinations_; }

    /// Index of a combination; the last factor's level changes fastest.
    [[nodiscard]] std::size_t index_of(const std::vector<std::size_t>& levels) const {
        std::size_t index = 0;
        for (std::size_t factor = 0; factor < counts_.size(); ++factor) {
            index = index * counts_[factor] + levels[factor];
        }
        return index;
    }

    /// Degrees of freedom of each part of variances(), except for the seeds' part.
    [[nodiscard]] std::vector<double> freedoms() const {
        std::vector<double> freedoms;
        double rest = static_cast<double>(combinations_) - 1.0;
        const auto add = [&](double freedom) {
            freedoms.push_back(freedom);
            rest -= freedom;
        };
        for (std::size_t a = 0; a < counts_.size(); ++a) {
            add(freedom_of(a));
        }
        for (std::size_t a = 0; a < counts_.size(); ++a) {
            for (std::size_t b = a + 1; b < counts_.size(); ++b) {
                add(freedom_of(a) * freedom_of(b));
            }
        }
        freedoms.push_back(rest);
        return freedoms;
    }

    /// Expected contribution of noise to the variance of a part with `freedom` degrees of freedom.
    [[nodiscard]] double chance(double freedom, const Noise& noise) const {
        return noise.of_means * freedom / static_cast<double>(combinations_);
    }

    /// Variance components of the combinations' means: of each factor, each pair of factors, and
    /// all higher interactions, then of the seeds. The contribution of noise is subtracted. The sum
    /// is the variance of a run.
    [[nodiscard]] std::vector<double> variances(const std::vector<double>& means,
                                                const Noise& noise) const {
        std::vector<double> parts = mean_squares(means);
        const std::vector<double> freedom = freedoms();
        for (std::size_t part = 0; part < parts.size(); ++part) {
            parts[part] -= chance(freedom[part], noise);
        }
        parts.push_back(noise.of_runs);
        return parts;
    }

    /// Variance components of the combinations' means, noise included; the component of the seeds
    /// is not among them.
    [[nodiscard]] std::vector<double> mean_squares(const std::vector<double>& means) const {
        const double mean = mean_of(means);
        std::vector<double> parts;
        std::vector<std::vector<double>> main_effects;
        std::vector<double> distances = means;
        for (double& distance : distances) {
            distance -= mean;
        }
        double rest = mean_square(distances);
        const auto take = [&](const std::vector<double>& effects) {
            parts.push_back(mean_square(effects));
            rest -= parts.back();
        };
        for (std::size_t a = 0; a < counts_.size(); ++a) {
            main_effects.push_back(marginal(means, a, std::nullopt));
            for (double& effect : main_effects.back()) {
                effect -= mean;
            }
            take(main_effects.back());
        }
        for (std::size_t a = 0; a < counts_.size(); ++a) {
            for (std::size_t b = a + 1; b < counts_.size(); ++b) {
                std::vector<double> effects = marginal(means, a, b);
                for (std::size_t i = 0; i < effects.size(); ++i) {
                    effects[i] -=
                        mean + main_effects[a][i / counts_[b]] + main_effects[b][i % counts_[b]];
                }
                take(effects);
            }
        }
        parts.push_back(counts_.size() < 3 ? 0.0 : rest);
        return parts;
    }

    static double mean_of(const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) /
               static_cast<double>(values.size());
    }

  private:
    static double mean_square(const std::vector<double>& values) {
        return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
               static_cast<double>(values.size());
    }

    [[nodiscard]] double freedom_of(std::size_t factor) const {
        return static_cast<double>(counts_[factor]) - 1.0;
    }

    [[nodiscard]] std::size_t level_of(std::size_t combination, std::size_t factor) const {
        for (std::size_t later = counts_.size() - 1; later > factor; --later) {
            combination /= counts_[later];
        }
        return combination % counts_[factor];
    }

    // Means for each level of a factor, or each pair of levels of two factors, over all other
    // factors.
    [[nodiscard]] std::vector<double> marginal(const std::vector<double>& means, std::size_t a,
                                               std::optional<std::size_t> b) const {
        std::vector<double> sums(counts_[a] * (b ? counts_[*b] : 1), 0.0);
        for (std::size_t i = 0; i < combinations_; ++i) {
            const std::size_t level = level_of(i, a);
            sums[b ? level * counts_[*b] + level_of(i, *b) : level] += means[i];
        }
        for (double& sum : sums) {
            sum *= static_cast<double>(sums.size()) / static_cast<double>(combinations_);
        }
        return sums;
    }

    std::vector<std::size_t> counts_;
    std::size_t combinations_;
};

std::vector<double> means_of(const std::vector<Sample>& samples) {
    std::vector<double> means;
    means.reserve(samples.size());
    for (const Sample& sample : samples) {
        means.push_back(sample.mean());
    }
    return means;
}

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> shares_of(std::vector<double> variances) {
    const double all = sum_of(variances);
    for (double& variance : variances) {
        variance = all > 0.0 ? variance / all : 0.0;
    }
    return variances;
}

/// Draws normal samples with the means and variances of the given samples.
class Redrawn {
  public:
    Redrawn(const std::vector<Sample>& samples, const Noise& noise) {
        for (const Sample& sample : samples) {
            const std::size_t count = sample.values.size();
            places_.push_back(
                {count, sample.mean(), std::sqrt(count > 1 ? sample.variance() : noise.of_runs)});
        }
    }

    [[nodiscard]] std::vector<Sample> draw() {
        std::vector<Sample> drawn(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            for (std::size_t run = 0; run < places_[i].count; ++run) {
                drawn[i].values.push_back(places_[i].mean + places_[i].deviation * normal());
            }
        }
        return drawn;
    }

  private:
    struct Place {
        std::size_t count;
        double mean;
        double deviation;
    };

    // Computed here, since the standard libraries' distributions differ.
    double unit() { return (static_cast<double>(generator_() >> 11) + 0.5) * 0x1.0p-53; }
    double normal() { return normal_quantile(unit()); }

    std::vector<Place> places_;
    std::mt19937_64 generator_{kStream};
};

// Arcsine of the root of a share, whose error hardly depends on the share near 0 and near 1. The
// function is odd.
double angle_of(double share) {
    return std::copysign(std::asin(std::sqrt(std::min(std::abs(share), 1.0))), share);
}

double share_at(double angle) {
    constexpr double kRightAngle = 1.5707963267948966;
    const double sine = std::sin(std::clamp(angle, 0.0, kRightAngle));
    return sine * sine;
}

// `drawn` are shares estimated from samples whose true share is `drawn_from`. Their distances from
// `drawn_from` are taken for those of `share` from its own true value.
Interval interval_of(double share, double drawn_from, std::vector<double> drawn) {
    constexpr auto kTail = static_cast<std::size_t>(kDraws * (1.0 - kConfidence) / 2.0);
    std::sort(drawn.begin(), drawn.end());
    const double centre = angle_of(share) + angle_of(drawn_from);
    return {share_at(centre - angle_of(drawn[kDraws - 1 - kTail])),
            share_at(centre - angle_of(drawn[kTail]))};
}

/// For each part of the variance, whether it is significant by Fisher's F test.
std::vector<bool> significant_parts(const Decomposition& decomposition,
                                    const std::vector<Sample>& samples, const Noise& noise) {
    double runs = 0.0;
    for (const Sample& sample : samples) {
        runs += static_cast<double>(sample.values.size());
    }
    const double noise_freedom = runs - static_cast<double>(samples.size());
    const std::vector<double> squares = decomposition.mean_squares(means_of(samples));
    const std::vector<double> freedoms = decomposition.freedoms();
    std::vector<bool> told;
    for (std::size_t part = 0; part < squares.size(); ++part) {
        const double chance = decomposition.chance(freedoms[part], noise);
        told.push_back(freedoms[part] > 0.0 &&
                       squares[part] > chance * fisher_f(freedoms[part], noise_freedom));
    }
    return told;
}

// Confidence interval of each part's share.
std::vector<Interval> intervals_of(const Decomposition& decomposition,
                                   const std::vector<Sample>& samples, const Noise& noise,
                                   const std::vector<double>& shares) {
    // The distributions from which samples are drawn have exact means.
    Noise exact = noise;
    exact.of_means = 0.0;
    const std::vector<double> drawn_from =
        shares_of(decomposition.variances(means_of(samples), exact));
    std::vector<std::vector<double>> drawn(shares.size());
    Redrawn redrawn(samples, noise);
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
        const std::vector<Sample> runs = redrawn.draw();
        const std::vector<double> found =
            shares_of(decomposition.variances(means_of(runs), noise_of(runs)));
        for (std::size_t part = 0; part < shares.size(); ++part) {
            drawn[part].push_back(found[part]);
        }
    }
    const std::vector<bool> is_significant = significant_parts(decomposition, samples, noise);
    std::vector<Interval> intervals;
    for (std::size_t part = 0; part < shares.size(); ++part) {
        intervals.push_back(interval_of(shares[part], drawn_from[part], std::move(drawn[part])));
        if (part < is_significant.size() && !is_significant[part]) {
            intervals.back().least = 0.0;
        }
    }
    return intervals;
}

/// Number of combinations that contain each level, by factor and level.
std::vector<std::vector<std::size_t>> counted_levels(const FactorialRuns& runs) {
    std::vector<std::vector<std::size_t>> counts;
    for (const std::size_t levels : runs.level_counts) {
        counts.emplace_back(levels, 0);
    }
    for (const FactorialCell& cell : runs.cells) {
        for (std::size_t factor = 0; factor < counts.size(); ++factor) {
            ++counts[factor][cell.levels[factor]];
        }
    }
    return counts;
}

/// Removes a level, and renumbers the levels after it.
void leave_out(CrossedPart& part, std::size_t factor, std::size_t level) {
    part.levels[factor].erase(part.levels[factor].begin() + static_cast<std::ptrdiff_t>(level));
    --part.runs.level_counts[factor];
    std::erase_if(part.runs.cells,
                  [&](const FactorialCell& cell) { return cell.levels[factor] == level; });
    for (FactorialCell& cell : part.runs.cells) {
        cell.levels[factor] -= cell.levels[factor] > level ? 1 : 0;
    }
}

}  // namespace

std::size_t FactorialRuns::combinations() const { return product_of(level_counts); }

bool FactorialRuns::is_crossed() const { return cells.size() == combinations(); }

std::optional<CrossedPart> crossed_part(const FactorialRuns& runs) {
    CrossedPart part{{}, runs};
    for (const std::size_t levels : runs.level_counts) {
        part.levels.emplace_back(levels);
        std::iota(part.levels.back().begin(), part.levels.back().end(), std::size_t{0});
    }
    while (!part.runs.is_crossed() && !part.runs.cells.empty()) {
        const std::vector<std::vector<std::size_t>> counts = counted_levels(part.runs);
        std::size_t factor = 0;
        std::size_t level = 0;
        double least = 2.0;
        for (std::size_t f = 0; f < counts.size(); ++f) {
            const double of_level = static_cast<double>(part.runs.combinations()) /
                                    static_cast<double>(part.runs.level_counts[f]);
            for (std::size_t l = 0; l < counts[f].size(); ++l) {
                const double there = static_cast<double>(counts[f][l]) / of_level;
                if (there < least) {
                    least = there;
                    factor = f;
                    level = l;
                }
            }
        }
        leave_out(part, factor, level);
    }
    return part.runs.cells.size() < 2 ? std::nullopt : std::optional(part);
}

std::optional<VarianceShares> variance_shares(const FactorialRuns& runs) {
    if (!runs.is_crossed() || runs.cells.size() < 2) {
        return std::nullopt;
    }
    const Decomposition decomposition(runs.level_counts);
    std::vector<Sample> samples(decomposition.combinations());
    for (const FactorialCell& cell : runs.cells) {
        samples[decomposition.index_of(cell.levels)] = cell.sample;
    }
    const Noise noise = noise_of(samples);
    const std::vector<double> means = means_of(samples);
    const std::vector<double> variances = decomposition.variances(means, noise);
    VarianceShares found;
    found.mean = Decomposition::mean_of(means);
    found.deviation = std::sqrt(std::max(sum_of(variances), 0.0));
    // A deviation within rounding counts as 0.
    if (found.deviation <= kRounding * std::abs(found.mean)) {
        return std::nullopt;
    }
    const std::vector<double> shares = shares_of(variances);
    const std::vector<Interval> intervals =
        noise.is_known ? intervals_of(decomposition, samples, noise, shares)
                       : std::vector<Interval>{};
    std::size_t next = 0;
    const auto part = [&](std::vector<std::size_t> factors) {
        VarianceShare share{std::move(factors), std::clamp(shares[next], 0.0, 1.0), std::nullopt};
        if (!intervals.empty()) {
            share.interval = intervals[next];
        }
        ++next;
        return share;
    };
    const std::size_t factors = runs.level_counts.size();
    for (std::size_t a = 0; a < factors; ++a) {
        found.main_effects.push_back(part({a}));
    }
    for (std::size_t a = 0; a < factors; ++a) {
        for (std::size_t b = a + 1; b < factors; ++b) {
            found.interactions.push_back(part({a, b}));
        }
    }
    found.higher_orders = part({});
    if (noise.is_known) {
        found.seeds = part({});
    }
    return found;
}

}  // namespace weir::experiments::statistics
