#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "hw/units.h"

namespace weir::hw {

/// A stream of random numbers for one (seed, node, purpose). A node's draws depend neither on the
/// draws of other nodes nor on the order in which nodes run.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a counter and a mixing
/// function, with the same bits on every machine. The standard library's distributions are not
/// used, since their results differ between implementations.
class RandomStream {
  public:
    RandomStream(std::uint64_t seed, NodeId node, std::string_view purpose) : state_(mix(seed)) {
        state_ = mix(state_ ^ (static_cast<std::uint64_t>(node.index()) + 0x5851'f42d'4c95'7f2d));
        for (const char c : purpose) {
            state_ = mix(state_ ^ static_cast<std::uint8_t>(c));
        }
    }

    std::uint64_t next() {
        state_ += kGolden;
        return finish(state_);
    }

    /// Uniform over the whole numbers from 0 to bound - 1, without bias; bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t reject_below = (0 - bound) % bound;
        std::uint64_t value = next();
        while (value < reject_below) {
            value = next();
        }
        return value % bound;
    }

    /// Uniform over (0, 1].
    double unit() { return static_cast<double>((next() >> 11) + 1) * 0x1.0p-53; }

    /// Exponential with the given mean.
    double exponential(double mean) { return -mean * std::log(unit()); }

    /// A positive random value with the given mean and squared coefficient of variation. The
    /// distribution is constant (0), an Erlang mixture (below 1), exponential (1), or a
    /// balanced-means two-phase hyperexponential (above 1). Mean and variance are matched exactly
    /// (Tijms, "Stochastic Models", appendix B).
    double with_squared_cv(double mean, double squared_cv);

  private:
    static constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;

    static constexpr std::uint64_t finish(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
        z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
        return z ^ (z >> 31);
    }
    static constexpr std::uint64_t mix(std::uint64_t z) { return finish(z + kGolden); }

    std::uint64_t state_;
};

}  // namespace weir::hw
