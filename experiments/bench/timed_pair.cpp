#include "experiments/bench/timed_pair.h"

#include "experiments/running/processes/host_module.h"

namespace weir::experiments::bench {

namespace {

const TimingFunctions& timing() {
    static const auto* const functions = static_cast<const TimingFunctions*>(
        running::functions_of({"weir_timing.so", WEIR_BENCHMARK_LIBRARY, "weir_timing_functions",
                               "libbenchmark1debian", "libbenchmark-dev"},
                              "weir bench"));
    return *functions;
}

}  // namespace

void require_timing() { static_cast<void>(timing()); }

PairOfTimes time_pair(const std::function<void()>& first, const std::function<void()>& second,
                      int repetitions) {
    return timing().time_pair(first, second, repetitions);
}

}  // namespace weir::experiments::bench
