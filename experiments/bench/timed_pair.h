#pragma once

#include <functional>

namespace weir::experiments::bench {

struct PairOfTimes {
    double first_seconds = 0.0;
    double second_seconds = 0.0;
};

/// Median times of two pieces of work, measured with Google Benchmark. Each runs once per
/// repetition, in turns.
[[nodiscard]] PairOfTimes time_pair(const std::function<void()>& first,
                                    const std::function<void()>& second, int repetitions);

}  // namespace weir::experiments::bench
