#include "experiments/models/contention_root.h"

#include <boost/math/tools/toms748_solve.hpp>
#include <cassert>
#include <cstdint>

namespace weir::experiments::models {

// TOMS 748 halves its bracket at least every fourth evaluation, and a hundred halvings do from the
// widest bracket there is; a dozen evaluations are usual. What the contention-free time causes is
// an upper bound on c, and the equation is solved for c as a share of it.
double solve_for_contention(double contention_free_cycles,
                            const std::function<double(double turn_cycles)>& contention_at) {
    constexpr int kContentionBits = 48;
    constexpr std::uintmax_t kMaximumEvaluations = 1000;
    const double most = contention_at(contention_free_cycles);
    if (most == 0.0) {  // handlers that take no time
        return 0.0;
    }
    const auto excess = [&](double share) {
        return contention_at(contention_free_cycles + share * most) / most - share;
    };
    // A factor of two around the exact bracket, so that no rounding can make both ends the same
    // sign.
    const double low = 0.5 * contention_at(contention_free_cycles + 2.0 * most) / most;
    std::uintmax_t evaluations = kMaximumEvaluations;
    const auto [below, above] = boost::math::tools::toms748_solve(
        excess, low, 2.0, boost::math::tools::eps_tolerance<double>(kContentionBits), evaluations);
    assert(evaluations < kMaximumEvaluations &&
           "the contention was not found though it was bracketed");
    return 0.5 * (below + above) * most;
}

}  // namespace weir::experiments::models
