#pragma once

#include <string>
#include <vector>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/scaling/predict_machine.h"

namespace weir::experiments::running {

/// Predictions of a metric by models, on the machines of a prediction.
struct ModelPredictions {
    std::vector<std::string> models;
    /// By machine, small ones first: the predictions of these models.
    std::vector<std::vector<double>> values;
};

/// Asks all models about the small machines, with the inputs that their runs measured, and about
/// the larger machine. Its inputs are predicted from those of the small machines: each is constant,
/// or a line over the mean distance. The program's facts are those of the largest small machine.
/// Models that do not apply to some machine are left out.
[[nodiscard]] ModelPredictions model_predictions(const PredictionPlan& plan,
                                                 const SweepDatabase& database,
                                                 const std::string& metric,
                                                 const std::vector<double>& mean_hops);

}  // namespace weir::experiments::running
