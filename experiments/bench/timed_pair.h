#pragma once

#include <functional>

namespace weir::experiments::bench {

struct PairOfTimes {
    double first_seconds = 0.0;
    double second_seconds = 0.0;
};

/// Times two pieces of work with Google Benchmark, each once a repetition and taking turns, and
/// returns the median of each.
[[nodiscard]] PairOfTimes time_pair(const std::function<void()>& first,
                                    const std::function<void()>& second, int repetitions);

}  // namespace weir::experiments::bench
