#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"
#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

// What a run's page is put together from, each part in the file of its name.

/// Results in a folder that `weir run` has left:
/// - a run's folder with its result.json, which also says of runs that ended badly;
/// - the folder of a run whose process was killed: the runs in it that have ended;
/// - the folder of one of its runs, point-NN-seed-M;
/// - a folder of run folders: all of them.
/// Throws setup::UserFault for any other folder, and where no run has begun.
[[nodiscard]] records::StoredResult left_runs(const std::filesystem::path& folder);

/// What a run found of the metric that it is about: as it was measured, against what models say and
/// what is published; then where the time goes. Nothing of a run that is about no single number.
[[nodiscard]] std::vector<records::Finding> run_findings(const records::ExperimentResult& result);

/// A metric at every point: measured with its interval, every model with how far it is off, what is
/// published; of the main metric its change from another point, too. Nothing where no point has it.
[[nodiscard]] std::optional<records::Table> results_table(const records::ExperimentResult& result,
                                                          const std::string& metric);

/// Other metrics of which models say something, a row a model, metric and point.
[[nodiscard]] std::optional<records::Table> also_predicted_table(
    const records::ExperimentResult& result);

/// Everything that was measured, a row a point and metric.
[[nodiscard]] records::Table metrics_table(const records::ExperimentResult& result);

/// Where a round trip's cycles go, a row a point.
[[nodiscard]] std::optional<records::Table> round_trip_table(
    const records::ExperimentResult& result);

/// What models were asked with, or why they say nothing.
[[nodiscard]] std::optional<records::Table> model_inputs_table(
    const records::ExperimentResult& result);

/// What `weir validate` says of the experiment; empty where nothing is published.
[[nodiscard]] records::Section validation_section(const records::ExperimentResult& result);

/// How much what is not published matters, a row a variant.
[[nodiscard]] std::optional<records::Table> sensitivity_table(
    const records::ExperimentResult& result);

/// What all points have in common, and in what they differ: what is not as by default, and, folded,
/// the rest.
[[nodiscard]] records::Section configuration_section(const records::ExperimentResult& result);

/// Of points whose runs say how sure they are, or were repeated until they were precise: what the
/// intervals are of, and whether they are as narrow as was asked for. Nothing where none does.
[[nodiscard]] std::optional<records::Table> precision_table(
    const records::ExperimentResult& result);

/// How many runs give no result, how they ended and why: what the page begins with. Nothing where
/// all runs gave one.
[[nodiscard]] std::optional<records::Finding> endings_finding(
    const records::ExperimentResult& result);

/// A table of the runs without a result, and of each the explanation in full, what its program
/// printed, and what was counted or measured until then. Without blocks where all runs gave a
/// result.
[[nodiscard]] records::Section endings_section(const records::ExperimentResult& result);

/// The result with a point for each configuration of which no run gave a result, where none did:
/// without a measured value, for what a page says of machines and parameters.
[[nodiscard]] records::ExperimentResult with_configurations(records::ExperimentResult result);

}  // namespace weir::experiments::pages
