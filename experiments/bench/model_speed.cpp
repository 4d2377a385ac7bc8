#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/timed_pair.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_general.h"

namespace weir::experiments::bench {

namespace {

constexpr int kPoints = 1000;
constexpr double kStep = 5.0;
constexpr int kGeneralNodes = 1024;

models::LopcInputs homogeneous_point(int point) {
    models::LopcInputs inputs;
    inputs.processors = 32;
    inputs.work_cycles = kStep * point;
    inputs.network_cycles = 6.0;
    inputs.handler_cycles = 200.0;
    inputs.handler_squared_cv = 0.0;
    return inputs;
}

// Fixed-point iteration of LoPC's equations (1) to (4), (5'), (6') and (7) for constant handlers.
// Starts at the contention-free R and ends when R changes by less than a billionth.
double by_substitution(const models::LopcInputs& inputs) {
    constexpr double kTolerance = 1e-9;
    const double handler = inputs.handler_cycles;
    const double outside = inputs.work_cycles + 2.0 * inputs.network_cycles;
    double response = outside + 2.0 * handler;
    for (double before = 0.0; std::abs(response - before) > kTolerance * response;) {
        before = response;
        const double u = handler / response;
        const double requests = u * (1.0 - 0.5 * u * u) / (1.0 - u - u * u);
        const double replies = u * (1.0 + requests - 0.5 * u);
        const double thread = (inputs.work_cycles + handler * requests) / (1.0 - u);
        response = thread + 2.0 * inputs.network_cycles + handler * (1.0 + requests + replies - u) +
                   handler * (1.0 + requests - 0.5 * u);
    }
    return response;
}

// Uneven visits to all nodes, so that only the general model applies.
models::LopcGeneralInputs general_inputs() {
    models::LopcGeneralInputs inputs;
    inputs.visits = models::LopcVisits(kGeneralNodes);
    for (std::size_t thread = 0; thread < kGeneralNodes; ++thread) {
        double sum = 0.0;
        for (std::size_t node = 0; node < kGeneralNodes; ++node) {
            const double weight =
                node == thread ? 0.0 : 1.0 + static_cast<double>((thread * 7 + node * 13) % 11);
            inputs.visits.row(thread)[node] = weight;
            sum += weight;
        }
        for (std::size_t node = 0; node < kGeneralNodes; ++node) {
            inputs.visits.row(thread)[node] /= sum;
        }
        inputs.work_cycles.push_back(500.0 + static_cast<double>(thread % 17) * 50.0);
    }
    inputs.network_cycles = 6.0;
    inputs.handler_cycles = 200.0;
    inputs.handler_squared_cv = 0.0;
    return inputs;
}

// V x and x V, as equations (28) and (20) need them.
double both_products(const models::LopcVisits& visits, const std::vector<double>& cycles) {
    std::vector<double> arrivals(cycles.size(), 0.0);
    double sum = 0.0;
    for (std::size_t thread = 0; thread < cycles.size(); ++thread) {
        const double* row = visits.row(thread);
        const double response = std::transform_reduce(row, row + cycles.size(), cycles.data(), 0.0);
        const double requests = 1.0 / response;
        for (std::size_t node = 0; node < cycles.size(); ++node) {
            arrivals[node] += row[node] * requests;
        }
        sum += response;
    }
    return sum + arrivals.front();
}

PairOfTimes homogeneous_model(int repetitions) {
    const auto over_points = [](double (*answer)(const models::LopcInputs&)) {
        double sum = 0.0;
        for (int point = 0; point < kPoints; ++point) {
            sum += answer(homogeneous_point(point));
        }
        return sum;
    };
    double of_model = 0.0;
    double of_reference = 0.0;
    const PairOfTimes times = time_pair(
        [&] {
            of_model = over_points([](const models::LopcInputs& inputs) {
                return models::solve_lopc_all_to_any(inputs).response_cycles;
            });
        },
        [&] { of_reference = over_points(by_substitution); }, repetitions);
    if (std::abs(of_model - of_reference) > 1e-6 * of_reference) {
        throw std::runtime_error("LoPC's model and its fixed-point iteration differ");
    }
    return times;
}

PairOfTimes general_model(int repetitions) {
    const models::LopcGeneralInputs inputs = general_inputs();
    const int iterations = models::solve_lopc_general(inputs).iterations;
    const std::vector<double> cycles(kGeneralNodes, 250.0);
    double of_model = 0.0;
    double of_products = 0.0;
    const PairOfTimes times =
        time_pair([&] { of_model = models::solve_lopc_general(inputs).response_cycles; },
                  [&] {
                      for (int i = 0; i < iterations; ++i) {
                          of_products += both_products(inputs.visits, cycles);
                      }
                  },
                  repetitions);
    if (!(of_model > 0.0 && of_products > 0.0)) {  // also keeps the compiler from leaving them out
        throw std::runtime_error("LoPC's general model has no response time");
    }
    return times;
}

Benchmark model_benchmark(const char* name, const char* text, const char* reference,
                          PairOfTimes (*times_of)(int repetitions)) {
    return {.name = name, .measure = [=](const Effort& effort) -> Found {
                const Json found = in_own_process([&]() -> Json {
                    const PairOfTimes times = times_of(effort.repetitions);
                    return {{"seconds", times.first_seconds},
                            {"time_over_reference", times.first_seconds / times.second_seconds}};
                });
                return {found, fmt::format("{}: {:.3g} ms, {:.2f} times {}\n", text,
                                           1e3 * found["seconds"].get<double>(),
                                           found["time_over_reference"].get<double>(), reference)};
            }};
}

}  // namespace

std::vector<Benchmark> model_benchmarks() {
    return {model_benchmark("model-lopc-1000-points", "LoPC all-to-any, 1,000 points",
                            "the time of fixed-point iteration", homogeneous_model),
            model_benchmark("model-lopc-general-1024", "LoPC's general model, 1,024 nodes",
                            "the time of its products alone", general_model)};
}

}  // namespace weir::experiments::bench
