#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

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

}  // namespace weir::experiments::pages
