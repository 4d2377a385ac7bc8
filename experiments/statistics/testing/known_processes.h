#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace weir::experiments::statistics::testing {

/// Random series with known means, equal for equal seeds. Distributions are computed here, since
/// those of standard libraries differ.
class KnownProcess {
  public:
    explicit KnownProcess(std::uint64_t seed) : generator_(seed) {}

    /// Random number, uniform over (0, 1].
    double unit() { return (static_cast<double>(generator_() >> 11) + 1.0) * 0x1.0p-53; }
    double exponential(double mean) { return -mean * std::log(unit()); }
    /// Normal number with mean 0 and variance 1 (Box and Muller).
    double normal() {
        constexpr double kTwoPi = 6.283185307179586;
        const double radius = std::sqrt(-2.0 * std::log(unit()));
        return radius * std::cos(kTwoPi * unit());
    }

    std::vector<double> normals(std::size_t count, double mean) {
        std::vector<double> series(count);
        std::generate(series.begin(), series.end(), [&] { return mean + normal(); });
        return series;
    }

    /// First-order autoregressive process in its steady state: a value's distance from the mean is
    /// `correlation` times the previous distance, plus a normal number. The mean of n values has
    /// variance 1 / (n (1 - correlation)^2) for large n.
    std::vector<double> autoregressive(std::size_t count, double mean, double correlation) {
        std::vector<double> series(count);
        double distance = normal() / std::sqrt(1.0 - correlation * correlation);
        for (double& value : series) {
            value = mean + distance;
            distance = correlation * distance + normal();
        }
        return series;
    }

    /// Normal numbers whose mean starts `excess` too high; the excess falls by a factor e every
    /// `decay` values.
    std::vector<double> decaying(std::size_t count, double mean, double excess, double decay) {
        std::vector<double> series = normals(count, mean);
        for (std::size_t i = 0; i < count; ++i) {
            series[i] += excess * std::exp(-static_cast<double>(i) / decay);
        }
        return series;
    }

    /// Waiting times in an M/M/1 queue that starts empty, with service time 1 (Lindley's
    /// recursion). Their steady-state mean is load / (1 - load).
    std::vector<double> waits(std::size_t count, double load) {
        std::vector<double> series(count);
        double wait = 0.0;
        for (double& value : series) {
            value = wait;
            wait = std::max(0.0, wait + exponential(1.0) - exponential(1.0 / load));
        }
        return series;
    }

  private:
    std::mt19937_64 generator_;
};

/// Number of seeds, from 1 to `replications`, for which `covers(process)` holds.
template <class Covers>
int covered(int replications, const Covers& covers) {
    int count = 0;
    for (int seed = 1; seed <= replications; ++seed) {
        KnownProcess process(static_cast<std::uint64_t>(seed));
        count += covers(process) ? 1 : 0;
    }
    return count;
}

}  // namespace weir::experiments::statistics::testing
