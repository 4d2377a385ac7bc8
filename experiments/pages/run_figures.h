#pragma once

#include <vector>

#include "experiments/pages/varied_points.h"
#include "experiments/records/figure.h"
#include "experiments/records/playback.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// The experiment's points with what sets them apart.
[[nodiscard]] std::vector<VariedPoint> varied_points(const records::ExperimentResult& result);

/// What was measured over what the points vary, beside models and published values: the main metric
/// first, then others of which a model or a paper says something.
[[nodiscard]] std::vector<records::Figure> metric_figures(const records::ExperimentResult& result);

/// Where the cycles of a round trip went.
[[nodiscard]] std::vector<records::Figure> cycle_figures(const records::ExperimentResult& result);

/// Channels and queues of every point of which its folder still has them, in the order of points;
/// seeds together.
[[nodiscard]] std::vector<records::Figure> network_figures(const records::ExperimentResult& result);

/// The same over time, of each point's first seed, where the traces have intervals.
[[nodiscard]] std::vector<records::PlaybackFigure> network_playbacks(
    const records::ExperimentResult& result);

/// How much what is not published matters.
[[nodiscard]] std::vector<records::Figure> sensitivity_figures(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
