#include "experiments/models/contention_root.h"

#include <boost/math/tools/toms748_solve.hpp>
#include <cassert>
#include <cstdint>

namespace weir::experiments::models {

// TOMS 748 halves its bracket at least every fourth evaluation; about a dozen evaluations are
// usual, 400 the most. The contention at the contention-free time is an upper bound on c. The
// equation is solved for c as a share of that bound.
double solve_for_contention(double contention_free_cycles,
                            const std::function<double(double turn_cycles)>& contention_at) {
    constexpr int kContentionBits = 48;
    constexpr std::uintmax_t kMaximumEvaluations = 1000;
    const double most = contention_at(contention_free_cycles);
    if (most == 0.0) {  // service takes no time, so the contention is 0
        return 0.0;
    }
    const auto excess = [&](double share) {
        return contention_at(contention_free_cycles + share * most) / most - share;
    };
    // Twice as wide as the exact bracket: rounding cannot give both ends the same sign.
    const double low = 0.5 * contention_at(contention_free_cycles + 2.0 * most) / most;
    std::uintmax_t evaluations = kMaximumEvaluations;
    const auto [below, above] = boost::math::tools::toms748_solve(
        excess, low, 2.0, boost::math::tools::eps_tolerance<double>(kContentionBits), evaluations);
    assert(evaluations < kMaximumEvaluations &&
           "the contention was not found though it was bracketed");
    return 0.5 * (below + above) * most;
}

}  // namespace weir::experiments::models
