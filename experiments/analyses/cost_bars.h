#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// The parts of a bar of LoPC's Figure 8, from the bottom.
inline constexpr std::array kCostParts{"compute",  "send",       "network",
                                       "handlers", "contention", "idle"};

/// Where a non-zero's cycles go; the parts sum to cycles_per_nonzero.
struct CostBar {
    std::string who;         ///< "measured", or a model
    records::Metrics parts;  ///< of kCostParts, those that it has
};
using CostBars = std::vector<CostBar>;

/// Of a sparse product, LoPC's Figure 8: what the trace shows of the round trips of its gets, a
/// non-zero; and LoPC's prediction, asked with what the file gives or else with what the trace
/// shows. Network is a trip with nothing in the way, to the interrupt; handlers are both handlers
/// to where the reply or the thread goes on; contention is what messages and the thread wait for
/// handlers and for the network. Idle is what the product takes beyond all that: nodes that have
/// ended wait for the last. None of anything else, or without a round trip measured.
[[nodiscard]] CostBars cost_bars(const records::Metrics& measured,
                                 const records::Metrics& round_trip,
                                 const std::vector<records::Prediction>& predictions);

/// What a point's result holds of them.
[[nodiscard]] CostBars cost_bars(const records::PointResult& point);

/// The bars of all points: a figure and a table. Nothing of other kernels.
[[nodiscard]] std::optional<records::Section> cost_bars_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
