#include "experiments/bench/model_speed.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

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

// (1) to (4), (5'), (6') and (7) for constant handlers, from the contention-free time on, until R
// stays to a billionth.
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

// Visits as uneven as the nodes are many, so that nothing but the general model fits.
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

// V x and x V, as (28) and (20) need them.
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

}  // namespace

ModelSpeed measure_homogeneous_model(int repetitions) {
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
        throw std::runtime_error("LoPC's model and its reference differ");
    }
    return {times.first_seconds, times.second_seconds};
}

ModelSpeed measure_general_model(int repetitions) {
    const models::LopcGeneralInputs inputs = general_inputs();
    const int iterations = models::solve_lopc_general(inputs).iterations;
    const std::vector<double> cycles(kGeneralNodes, 250.0);
    const PairOfTimes times = time_pair(
        [&] { benchmark::DoNotOptimize(models::solve_lopc_general(inputs).response_cycles); },
        [&] {
            for (int i = 0; i < iterations; ++i) {
                benchmark::DoNotOptimize(both_products(inputs.visits, cycles));
            }
        },
        repetitions);
    return {times.first_seconds, times.second_seconds};
}

}  // namespace weir::experiments::bench
