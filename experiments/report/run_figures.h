#pragma once

#include <vector>

#include "experiments/report/figure.h"
#include "experiments/report/varied_points.h"
#include "experiments/run/result.h"

namespace weir::experiments::report {

/// The experiment's points with what sets them apart.
[[nodiscard]] std::vector<VariedPoint> varied_points(const run::ExperimentResult& result);

/// What was measured over what the points vary, beside models and published values: the main metric
/// first, then others of which a model or a paper says something.
[[nodiscard]] std::vector<Figure> metric_figures(const run::ExperimentResult& result);

/// Where the cycles went: parts of round trips, of a non-zero, of a packed message.
[[nodiscard]] std::vector<Figure> cycle_figures(const run::ExperimentResult& result);

/// What some kernels alone leave: curves of memory transfers, a queue's bytes by cycle, unloaded
/// distances.
[[nodiscard]] std::vector<Figure> particular_figures(const run::ExperimentResult& result);

/// Channels and queues of every point of which its folder still has them, in the order of points;
/// seeds together.
[[nodiscard]] std::vector<Figure> network_figures(const run::ExperimentResult& result);

/// How much what is not published matters.
[[nodiscard]] std::vector<Figure> sensitivity_figures(const run::ExperimentResult& result);

}  // namespace weir::experiments::report
