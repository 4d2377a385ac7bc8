#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace weir::experiments::statistics::testing {

/// Series whose means are known. Each is the same for the same seed: the distributions are computed
/// here, since those of the standard library may differ from one to another.
class KnownProcess {
  public:
    explicit KnownProcess(std::uint64_t seed) : generator_(seed) {}

    /// Uniform over (0, 1].
    double unit() { return (static_cast<double>(generator_() >> 11) + 1.0) * 0x1.0p-53; }
    double exponential(double mean) { return -mean * std::log(unit()); }
    /// Mean 0 and variance 1 (Box and Muller).
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

    /// An autoregressive process of first order in its steady state: each value is `correlation`
    /// times how far the one before was from the mean, and a normal number. The mean of n has
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

    /// Normals whose mean starts `excess` too high and comes down by a factor e every `decay`
    /// values.
    std::vector<double> decaying(std::size_t count, double mean, double excess, double decay) {
        std::vector<double> series = normals(count, mean);
        for (std::size_t i = 0; i < count; ++i) {
            series[i] += excess * std::exp(-static_cast<double>(i) / decay);
        }
        return series;
    }

    /// Waiting times in the queue M/M/1 that starts empty, service time 1 (Lindley's recursion). In
    /// the steady state their mean is load / (1 - load).
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

/// How many of `replications` seeds, from 1 on, for which `covers(process)` holds.
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
