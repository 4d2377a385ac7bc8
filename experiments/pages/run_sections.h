#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"
#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

// Parts of a run's page, each in the file named after the part.

/// Results in a folder that `weir run` has left:
/// - a run's folder with its result.json, which also names runs that ended badly;
/// - the folder of a run whose process was killed: the runs in it that have ended;
/// - the folder of a single run, point-NN-seed-M;
/// - a folder of run folders: all of them.
/// Throws setup::UserFault for any other folder, and if no run has begun.
[[nodiscard]] records::StoredResult left_runs(const std::filesystem::path& folder);

/// Findings on a run's main metric: its measured value against models and published values, then
/// the parts of its time. Returns no findings without a main metric.
[[nodiscard]] std::vector<records::Finding> run_findings(const records::ExperimentResult& result);

/// A metric at every point: measured value with its interval, predictions with their errors,
/// published values. The main metric also has its change from another point. Returns no table if no
/// point has the metric.
[[nodiscard]] std::optional<records::Table> results_table(const records::ExperimentResult& result,
                                                          const std::string& metric);

/// Other metrics that models predict: one row per model, metric and point.
[[nodiscard]] std::optional<records::Table> also_predicted_table(
    const records::ExperimentResult& result);

/// All measured metrics: one row per point and metric.
[[nodiscard]] records::Table metrics_table(const records::ExperimentResult& result);

/// Cycles of a round trip by part: one row per point.
[[nodiscard]] std::optional<records::Table> round_trip_table(
    const records::ExperimentResult& result);

/// Inputs of the models, or the reason why a model gives no prediction.
[[nodiscard]] std::optional<records::Table> model_inputs_table(
    const records::ExperimentResult& result);

/// Result of `weir validate` for the experiment; empty without published values.
[[nodiscard]] records::Section validation_section(const records::ExperimentResult& result);

/// Sensitivity to unpublished parameters: one row per variant.
[[nodiscard]] std::optional<records::Table> sensitivity_table(
    const records::ExperimentResult& result);

/// Parameters that all points have in common, and those in which they differ. Values other than the
/// defaults are shown; the rest is folded.
[[nodiscard]] records::Section configuration_section(const records::ExperimentResult& result);

/// Precision of points whose runs report confidence intervals, or were repeated until they were
/// precise. The table has the source of the intervals, and whether they are as narrow as requested.
/// Returns no table without such points.
[[nodiscard]] std::optional<records::Table> precision_table(
    const records::ExperimentResult& result);

/// First finding of the page: number of runs without a result, how they ended and why. Returns no
/// finding if all runs gave a result.
[[nodiscard]] std::optional<records::Finding> endings_finding(
    const records::ExperimentResult& result);

/// Table of the runs without a result. The table is followed by each run's full explanation, the
/// output of its program, and all counts and measurements up to its end. The section has no blocks
/// if all runs gave a result.
[[nodiscard]] records::Section endings_section(const records::ExperimentResult& result);

/// Last lines that the program of a single run printed. The section has no blocks if the program
/// printed nothing, or if the result has several runs.
[[nodiscard]] records::Section printed_section(const records::ExperimentResult& result);

/// The result, with one more point for each configuration whose runs all failed. Such a point has
/// no measured values; it is needed for the page's list of machines and parameters.
[[nodiscard]] records::ExperimentResult with_configurations(records::ExperimentResult result);

}  // namespace weir::experiments::pages
