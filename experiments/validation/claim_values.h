#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/result.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// What claims are compared with, computed: every experiment that any of them names once, all in
/// the processes of one pool, and the models.
class ClaimValues {
  public:
    /// Checks every experiment, point, metric, model and input, asks the models, and runs nothing.
    /// `options` has presets, --set options and workers for all. Throws UserFault.
    ClaimValues(const std::vector<Claim>& claims, running::RunOptions options);

    /// Runs the experiments, each into a folder of its own in `folder`. Throws UserFault and
    /// RunFailure.
    void run_experiments(const std::filesystem::path& folder);

    /// What run_experiments() runs: of each its file, overrides and points.
    [[nodiscard]] const std::vector<running::RunOptions>& experiments() const {
        return experiments_;
    }

    /// In place of run_experiments(): the results of experiments() in their order, with the points
    /// named there at least; nothing where one did not end well.
    void take_results(std::vector<std::optional<records::ExperimentResult>> results);

    /// Throws UserFault for a metric that the run did not give, for a run that did not end well,
    /// and for a quotient by nothing.
    [[nodiscard]] double value_of(const ClaimValue& value) const;

    /// What each model says of the metric, where the value is one of a run; else nothing.
    [[nodiscard]] records::Metrics models_of(const ClaimValue& value) const;

  private:
    void collect(const ClaimValue& value);
    void collect_run(const MetricOfRun& metric, const setup::Place& place);
    [[nodiscard]] const records::PointResult& point_of(const MetricOfRun& metric,
                                                       const setup::Place& place) const;
    [[nodiscard]] double metric_of(const MetricOfRun& metric, const setup::Place& place) const;
    [[nodiscard]] double related(const Relation& relation, const setup::Place& place) const;

    running::RunOptions options_;
    std::vector<running::RunOptions> experiments_;  ///< file, overrides and points
    std::vector<setup::Place> places_;  ///< which claim has asked for each of them first
    std::map<std::vector<std::string>, std::size_t> experiment_of_;  ///< by file and overrides
    std::map<const AnswerOfModel*, double> answers_;
    std::vector<std::optional<records::ExperimentResult>> results_;  ///< of experiments_
};

}  // namespace weir::experiments::validation
