#include "experiments/running/sweeps/scaling/model_predictions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/analyses/combined_runs.h"
#include "experiments/records/json_input.h"
#include "experiments/statistics/scaling_fit.h"

namespace weir::experiments::running {

namespace {

using records::SimulationResult;

/// Results of a machine's runs, one for each seed.
using Seeds = std::vector<SimulationResult>;

// Inputs of models of whole programs. Those of a larger machine do not follow from smaller ones.
constexpr std::array kOfProgram{"messages_per_node", "bodies_per_node", "program_work_cycles"};

void leave_out_program_inputs(SimulationResult& run) {
    std::erase_if(run.measured.model_inputs, [](const auto& input) {
        return std::find(kOfProgram.begin(), kOfProgram.end(), input.first) != kOfProgram.end();
    });
}

Seeds stored_results(const SweepDatabase& database, const PlannedPoint& point) {
    Query query(database.connection(),
                "SELECT result FROM runs JOIN points USING (point_id) WHERE points.digest = ? AND "
                "status = 'ok' ORDER BY seed",
                "runs");
    query.bind(point.digest);
    Seeds results;
    while (query.step()) {
        results.push_back(records::read_stored_json(
            query.text(0),
            {database.path(), "a result in its table runs can't be read",
             "a database as weir predict has left it"},
            [](nlohmann::ordered_json json) {
                for (const char* time : {"wall_seconds", "machine_seconds", "processor_seconds"}) {
                    json[time] = 0.0;  // databases have no times of the host
                }
                return records::simulation_result_from(json);
            }));
        leave_out_program_inputs(results.back());
    }
    return results;
}

// Metric that each of `models` predicts for a machine with these results; none of a model that does
// not apply.
std::vector<std::optional<double>> asked(const SweepPlan& plan, const PlannedPoint& point,
                                         const Seeds& seeds, const std::vector<std::string>& models,
                                         const std::string& metric) {
    const setup::ExperimentFile file = plan.file_of(point);
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, point.run);
    records::PointResult result = analyses::combine(seeds);
    setup->kind->ask_models({file, point.run, seeds, models}, *setup, result);
    std::vector<std::optional<double>> values;
    for (const std::string& model : models) {
        const auto found =
            std::find_if(result.predictions.begin(), result.predictions.end(),
                         [&model](const records::Prediction& each) { return each.model == model; });
        values.push_back(found == result.predictions.end()
                             ? std::nullopt
                             : records::find_metric(found->metrics, metric));
    }
    return values;
}

// Input of a model on the larger machine: constant, or a line over the mean distance.
double input_of_larger(const std::vector<double>& values, const std::vector<double>& mean_hops) {
    std::vector<statistics::ScalingPoint> points;
    for (std::size_t i = 0; i < mean_hops.size(); ++i) {
        const double value = i < values.size() ? values[i] : 0.0;
        points.push_back({static_cast<double>(i + 1), {1.0, mean_hops[i]}, value, 0.0});
    }
    const statistics::ScalingPoint larger = points.back();
    points.pop_back();
    const bool are_positive =
        std::all_of(values.begin(), values.end(), [](double each) { return each > 0.0; });
    const std::vector<std::vector<std::size_t>> sums{{0}, {0, 1}};
    const auto predicted =
        are_positive ? statistics::predict_scaling(points, larger, sums) : std::nullopt;
    return predicted ? predicted->value : values.back();
}

// Result of the larger machine, had it been run: the largest small machine's, with predicted inputs
// of models.
Seeds expected_results(const std::vector<Seeds>& small, const std::vector<double>& mean_hops) {
    SimulationResult expected = small.back().front();
    for (auto& [name, input] : expected.measured.model_inputs) {
        std::vector<double> values;
        for (const Seeds& seeds : small) {
            double sum = 0.0;
            for (const SimulationResult& run : seeds) {
                sum += records::find_metric(run.measured.model_inputs, name).value_or(0.0);
            }
            values.push_back(sum / static_cast<double>(seeds.size()));
        }
        input = input_of_larger(values, mean_hops);
    }
    return {std::move(expected)};
}

}  // namespace

ModelPredictions model_predictions(const PredictionPlan& plan, const SweepDatabase& database,
                                   const std::string& metric,
                                   const std::vector<double>& mean_hops) {
    const std::vector<PlannedPoint>& points = plan.sweep.points;
    std::vector<Seeds> results;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        results.push_back(stored_results(database, points[i]));
    }
    results.push_back(expected_results(results, mean_hops));
    const std::unique_ptr<kinds::Setup> setup =
        kinds::make_setup(plan.sweep.file_of(points.back()), points.back().run);
    const std::vector<std::string>& all = setup->kind->models();
    std::vector<std::vector<std::optional<double>>> values;
    for (std::size_t i = 0; i < points.size(); ++i) {
        values.push_back(asked(plan.sweep, points[i], results[i], all, metric));
    }
    ModelPredictions predictions;
    predictions.values.resize(points.size());
    for (std::size_t model = 0; model < all.size(); ++model) {
        const bool applies = std::all_of(values.begin(), values.end(), [model](const auto& each) {
            return each[model].value_or(0.0) > 0.0;
        });
        if (applies) {
            predictions.models.push_back(all[model]);
            for (std::size_t i = 0; i < points.size(); ++i) {
                predictions.values[i].push_back(*values[i][model]);
            }
        }
    }
    return predictions;
}

}  // namespace weir::experiments::running
