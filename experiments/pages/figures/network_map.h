#pragma once

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/charts.h"

namespace weir::experiments::pages {

/// On a mesh or torus of two dimensions a map, x to the right and y downwards: an arrow a channel,
/// and a square a node with the mean and the greatest bytes in its input queue. On other networks
/// channels and nodes in a row, the busiest first.
[[nodiscard]] Drawing network_drawing(const records::NetworkUse& use);

}  // namespace weir::experiments::pages
