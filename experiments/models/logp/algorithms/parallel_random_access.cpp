#include "experiments/models/logp/algorithms/parallel_random_access.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "experiments/models/logp/algorithms/lu.h"
#include "experiments/models/logp/logp_machine.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 40;

void check(std::string_view name, std::int64_t count, std::int64_t most = kMostCount) {
    if (count < 1 || count > most) {
        throw ModelError(std::string(name) + " is " + std::to_string(count),
                         "1 to " + std::to_string(most));
    }
}

}  // namespace

std::int64_t pram_broadcast_steps(std::int64_t processors) {
    check("processors (P)", processors);
    return rounds_of_doubling(processors);
}

std::int64_t pram_summation_steps(std::int64_t processors, std::int64_t values) {
    check("processors (P)", processors);
    check("values (n)", values);
    const std::int64_t used = std::min(processors, values);
    return quotient_rounded_up(values, used) - 1 + rounds_of_doubling(used);
}

std::int64_t pram_fft_steps(std::int64_t processors, std::int64_t points) {
    check("processors (P)", processors);
    check("points (n)", points);
    if (!is_power_of_two(points)) {
        throw ModelError("points (n) is " + std::to_string(points), "a power of two");
    }
    return quotient_rounded_up(points, processors) * logarithm_of_power_of_two(points);
}

std::int64_t pram_lu_steps(std::int64_t processors, std::int64_t rows) {
    check("processors (P)", processors);
    check("rows (n)", rows, kLuMostRows);
    std::int64_t steps = 0;
    for (std::int64_t left = 1; left < rows; ++left) {
        steps += 2 * quotient_rounded_up(left * left, processors);
    }
    return steps;
}

}  // namespace weir::experiments::models
