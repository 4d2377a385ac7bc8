#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/analyses/explanations/assumption.h"
#include "experiments/analyses/predict.h"
#include "experiments/records/explanation.h"
#include "experiments/records/prediction.h"
#include "experiments/statistics/shapley_value.h"

namespace weir::experiments::analyses {

/// Measurements of a point with which its predictions are explained: means over its seeds.
struct ExplainedPoint {
    std::string metric;             ///< main metric
    double measured_cycles = 0.0;   ///< its mean
    const records::Metrics& parts;  ///< parts of an iteration
    const records::Metrics& measured_inputs;
    const records::Metrics& given_inputs;
};

/// Models whose errors can be split, in the order of models.compare.
[[nodiscard]] const std::vector<std::string>& explained_model_names();

/// Splits the errors of a point's predictions of iterations, each by corrections of the model with
/// values of the trace. Leaves out predictions of models that are not in explained_model_names(),
/// and those that do not apply. Where corrections interact, a part is the assumption's Shapley
/// value over all orders that correct Assumption::after first.
[[nodiscard]] std::vector<records::Explanation> explain_predictions(
    const std::vector<records::Prediction>& predictions, const ExplainedPoint& point,
    const AskedProgram& program);

/// Assumptions that machines idealise.
struct IdealisedAssumptions {
    std::vector<const Assumption*> assumptions;
    /// For each assumption, the settings of its ideal machine.
    std::vector<std::vector<IdealSetting>> settings;
    /// For each assumption, those that must be idealised with it.
    std::vector<statistics::PlayerSet> before;
};

/// Parameters of a machine that have an effect, by key.
using Configuration = std::vector<std::pair<std::string, hw::ParameterValue>>;

/// Assumptions whose mechanisms the machine has, and that settings idealise.
[[nodiscard]] IdealisedAssumptions idealised_assumptions(const Configuration& configuration);

/// Joins the explanations of a prediction on idealised machines. `machines` has one for each
/// permitted set of idealised assumptions, in increasing order; the first one is that of the
/// machine as it ran. An idealised assumption's part is the Shapley value of the error. The error
/// on the machine that idealises all of them is split by that machine's own explanation.
[[nodiscard]] records::Explanation joined_explanation(
    const IdealisedAssumptions& idealised, const std::vector<records::Explanation>& machines);

/// Marks the parts that are large enough to name their assumptions as broken. They are at least
/// kNamedShareOfTime of the measured time, and kNamedShareOfLargest of the largest part.
void name_broken(records::Explanation& explanation);
inline constexpr double kNamedShareOfTime = 0.02;
inline constexpr double kNamedShareOfLargest = 0.25;

}  // namespace weir::experiments::analyses
