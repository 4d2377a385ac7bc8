#pragma once

#include <string>

#include "experiments/run/memory_transfers.h"

namespace weir::experiments::run {

/// What a point's transfers show, for a terminal: o + l by size and stride, plateaus, and how far
/// the predictions are off. Empty where there are none.
[[nodiscard]] std::string transfer_report(const MeasuredTransfers& transfers);

/// Memory logP's Figure 5 as SVG: cycles a byte over the size, a curve a stride, both axes
/// logarithmic. Empty with less than two sizes.
[[nodiscard]] std::string transfer_curves_picture(const MeasuredTransfers& transfers,
                                                  const std::string& title);

/// l as a function of size and stride, as SVG. Empty where no transfer has an l.
[[nodiscard]] std::string latency_heat_map_picture(const MeasuredTransfers& transfers,
                                                   const std::string& title);

}  // namespace weir::experiments::run
