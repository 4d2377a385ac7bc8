#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::analyses {

/// Parts of a bar of LoPC's Figure 8, from the bottom.
inline constexpr std::array kCostParts{"compute",  "send",       "network",
                                       "handlers", "contention", "idle"};

/// Cycles per non-zero by cause; the parts sum to cycles_per_nonzero.
struct CostBar {
    std::string who;         ///< "measured", or a model's name
    records::Metrics parts;  ///< cycles of parts, named as in kCostParts; some may be absent
};
using CostBars = std::vector<CostBar>;

/// Bars of a sparse product, LoPC's Figure 8: one from the round trips of gets in the trace, per
/// non-zero, and one of LoPC's prediction. The prediction uses the file's inputs, or else those
/// measured from the trace. The parts:
///  - network is the uncontended trip of request and reply, until the interrupt;
///  - handlers is the time of both handlers, until the reply leaves and until the thread continues;
///  - contention is the time that messages and threads wait for handlers, and in the network;
///  - idle is the rest of the product's time, in which ended nodes wait for the last node.
/// Empty for other kernels, and if no round trip was measured.
[[nodiscard]] CostBars cost_bars(const records::Metrics& measured,
                                 const records::Metrics& round_trip,
                                 const std::vector<records::Prediction>& predictions);

/// Bars from a point's result.
[[nodiscard]] CostBars cost_bars(const records::PointResult& point);

/// Figure and table with the bars of all points; absent for other kernels.
[[nodiscard]] std::optional<records::Section> cost_bars_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
