#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/explanation.h"
#include "experiments/records/result.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// Computes the values that claims are compared with. Each experiment runs once, all in one pool of
/// processes; models are evaluated, too.
class ClaimValues {
  public:
    /// Checks every experiment, point, metric, model and input, and evaluates the models; runs
    /// nothing. All runs get the presets, --set options and workers of `options`. Throws UserFault
    /// for the first fault.
    ClaimValues(const std::vector<Claim>& claims, running::RunOptions options);

    /// Runs the experiments, each into a folder of its own in `folder`. Throws UserFault and
    /// RunFailure as running::run_experiments() does.
    void run_experiments(const std::filesystem::path& folder);

    /// Experiments that run_experiments() runs, each with file, overrides and points.
    [[nodiscard]] const std::vector<running::RunOptions>& experiments() const {
        return experiments_;
    }

    /// Replaces run_experiments(): sets the results of experiments(), in their order, with at least
    /// the points named there. The result of a failed experiment is nullopt.
    void take_results(std::vector<std::optional<records::ExperimentResult>> results);

    /// Computes the value. Throws UserFault for a metric that the run does not give, for a failed
    /// run, and for a division by 0.
    [[nodiscard]] double value_of(const ClaimValue& value) const;

    /// Each model's prediction of the metric if the value is a metric of a run; else no
    /// predictions.
    [[nodiscard]] records::Metrics models_of(const ClaimValue& value) const;

    /// Errors of all models that the run of a metric compares, split by assumption. Runs idealised
    /// machines (running::explain_run()). Call after run_experiments().
    [[nodiscard]] std::vector<records::Explanation> explanations_of(
        const MetricOfRun& metric, const setup::Place& place) const;

  private:
    void collect(const ClaimValue& value);
    void collect_run(const MetricOfRun& metric, const setup::Place& place);
    [[nodiscard]] const records::PointResult& point_of(const MetricOfRun& metric,
                                                       const setup::Place& place) const;
    [[nodiscard]] double metric_of(const MetricOfRun& metric, const setup::Place& place) const;
    [[nodiscard]] double related(const Relation& relation, const setup::Place& place) const;

    running::RunOptions options_;
    std::vector<running::RunOptions> experiments_;  ///< each with file, overrides and points
    std::vector<setup::Place> places_;  ///< place of the first claim that needs each experiment
    std::map<std::vector<std::string>, std::size_t> experiment_of_;  ///< index by file and settings
    std::map<const AnswerOfModel*, double> answers_;
    std::vector<std::optional<records::ExperimentResult>> results_;  ///< results of experiments_
};

}  // namespace weir::experiments::validation
