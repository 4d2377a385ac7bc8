#pragma once

#include <functional>

namespace weir::experiments::bench {

struct PairOfTimes {
    double first_seconds = 0.0;
    double second_seconds = 0.0;
};

/// Functions of the module that calls Google Benchmark (running::HostModule).
struct TimingFunctions {
    PairOfTimes (*time_pair)(const std::function<void()>& first,
                             const std::function<void()>& second, int repetitions);
};

/// Throws setup::UserFault if Google Benchmark cannot be loaded.
void require_timing();

/// Median times of two pieces of work, measured with Google Benchmark. In each repetition both run
/// once, the second after the first. Throws as require_timing().
[[nodiscard]] PairOfTimes time_pair(const std::function<void()>& first,
                                    const std::function<void()>& second, int repetitions);

}  // namespace weir::experiments::bench
