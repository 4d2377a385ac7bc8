#pragma once

#include <vector>

#include "experiments/pages/varied_points.h"
#include "experiments/records/figure.h"
#include "experiments/records/playback.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// The experiment's points with the keys that tell them apart.
[[nodiscard]] std::vector<VariedPoint> varied_points(const records::ExperimentResult& result);

/// Measured metrics over the varied parameters, beside models and published values: the main metric
/// first, then others that a model predicts or a paper gives.
[[nodiscard]] std::vector<records::Figure> metric_figures(const records::ExperimentResult& result);

/// Cycles of a round trip by part.
[[nodiscard]] std::vector<records::Figure> cycle_figures(const records::ExperimentResult& result);

/// Use of channels and queues, means over the seeds, in the order of points. Points whose result
/// folder is missing are left out.
[[nodiscard]] std::vector<records::Figure> network_figures(const records::ExperimentResult& result);

/// Use of channels and queues over time, from the trace of each point's first seed. Points whose
/// trace has no intervals are left out.
[[nodiscard]] std::vector<records::PlaybackFigure> network_playbacks(
    const records::ExperimentResult& result);

/// Sensitivity to unpublished parameters.
[[nodiscard]] std::vector<records::Figure> sensitivity_figures(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
