#include "hw/random_stream.h"

#include <algorithm>

namespace weir::hw {

double RandomStream::with_squared_cv(double mean, double squared_cv) {
    if (squared_cv <= 0.0) {
        return mean;
    }
    if (squared_cv < 1.0) {
        // Mixture of Erlang(k-1) and Erlang(k) with 1/k <= squared_cv <= 1/(k-1).
        const double k = std::ceil(1.0 / squared_cv);
        // Exactly 0 when squared_cv is 1/(k-1), where rounding may make it slightly negative.
        const double under_root = std::max(0.0, k * (1.0 + squared_cv) - k * k * squared_cv);
        const double p = (k * squared_cv - std::sqrt(under_root)) / (1.0 + squared_cv);
        const int phases = static_cast<int>(k) - (unit() <= p ? 1 : 0);
        const double phase_mean = mean / (k - p);
        double sum = 0.0;
        for (int phase = 0; phase < phases; ++phase) {
            sum += exponential(phase_mean);
        }
        return sum;
    }
    const double p = 0.5 * (1.0 + std::sqrt((squared_cv - 1.0) / (squared_cv + 1.0)));
    return unit() <= p ? exponential(mean / (2.0 * p)) : exponential(mean / (2.0 * (1.0 - p)));
}

}  // namespace weir::hw
