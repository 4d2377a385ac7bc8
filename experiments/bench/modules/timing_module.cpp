#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/bench/timed_pair.h"

/// Time measurements with Google Benchmark, as a module of the program.
namespace weir::experiments::bench {

namespace {

constexpr const char* kFirst = "first";
constexpr const char* kSecond = "second";

/// Keeps the seconds of every repetition.
class Times final : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type == Run::RT_Iteration) {
                seconds_[run.run_name.function_name].push_back(run.real_accumulated_time /
                                                               static_cast<double>(run.iterations));
            }
        }
    }
    [[nodiscard]] double median(const std::string& name) {
        std::vector<double>& seconds = seconds_.at(name);
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::nth_element(seconds.begin(), middle, seconds.end());
        return *middle;
    }

  private:
    std::map<std::string, std::vector<double>> seconds_;
};

void enter(const char* name, const std::function<void()>& work, int repetitions) {
    benchmark::RegisterBenchmark(name,
                                 [&work](benchmark::State& state) {
                                     for ([[maybe_unused]] const auto once : state) {
                                         work();
                                     }
                                 })
        ->Iterations(1)
        ->Repetitions(repetitions)
        ->UseRealTime();
}

PairOfTimes time_in_turns(const std::function<void()>& first, const std::function<void()>& second,
                          int repetitions) {
    enter(kFirst, first, repetitions);
    enter(kSecond, second, repetitions);
    std::string program = "weir";
    std::string taking_turns = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments{program.data(), taking_turns.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments.data());
    Times times;
    benchmark::RunSpecifiedBenchmarks(&times);
    benchmark::ClearRegisteredBenchmarks();
    return {times.median(kFirst), times.median(kSecond)};
}

}  // namespace

}  // namespace weir::experiments::bench

extern "C" const weir::experiments::bench::TimingFunctions* weir_timing_functions() {
    static constexpr weir::experiments::bench::TimingFunctions kFunctions{
        &weir::experiments::bench::time_in_turns};
    return &kFunctions;
}
