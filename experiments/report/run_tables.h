#pragma once

#include <optional>
#include <vector>

#include "experiments/report/document.h"
#include "experiments/run/result.h"

namespace weir::experiments::report {

/// What the experiment is about at every point: measured with its interval, every model with how
/// far it is off, what is published.
[[nodiscard]] std::optional<Table> results_table(const run::ExperimentResult& result);

/// Everything that was measured, a row a point and metric.
[[nodiscard]] Table metrics_table(const run::ExperimentResult& result);

/// Where a round trip's cycles go, a row a point.
[[nodiscard]] std::optional<Table> round_trip_table(const run::ExperimentResult& result);

/// What models were asked with, or why they say nothing.
[[nodiscard]] std::optional<Table> model_inputs_table(const run::ExperimentResult& result);

/// What `weir validate` says of the experiment; empty where nothing is published.
[[nodiscard]] Section validation_section(const run::ExperimentResult& result);

/// How much what is not published matters, a row a variant.
[[nodiscard]] std::optional<Table> sensitivity_table(const run::ExperimentResult& result);

/// What all points have in common, and in what they differ: what is not as by default, and, folded,
/// the rest.
[[nodiscard]] Section configuration_section(const run::ExperimentResult& result);

}  // namespace weir::experiments::report
