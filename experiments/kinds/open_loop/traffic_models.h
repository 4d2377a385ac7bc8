#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/records/prediction.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::experiments::kinds {

/// Predictions of models for traffic. `distance_hops` is the network's mean distance, for packets
/// one at a time.
///
/// "agarwal": the latency without contention plus the waiting of Agarwal's open model as in LoGPC
/// (Section 3, equations (3) to (6)). Assumes a mesh or torus with random destinations, or random
/// ones within a span (Section 3.3). Also assumes equally busy channels, packets at random times,
/// and a mean distance of a hop or more in each dimension. It has no answer for other networks and
/// traffic, nor at loads that saturate its channels.
///
/// "logp_unloaded": T = T_snd + ceil(M/w) + H r + T_rcv (LogP Section 5.2). H is the mean distance,
/// w the channel's bits per cycle, and r the time of a header's bit from router to router. Applies
/// to packets one at a time only.
std::vector<records::Prediction> predict_traffic(std::span<const std::string> models,
                                                 const Setup& setup,
                                                 const network::TrafficParameters& traffic,
                                                 std::optional<double> distance_hops);

const std::vector<std::string>& traffic_models();

/// Input machine.unloaded_overheads_cycles: T_snd + T_rcv in cycles. Empty if the input is 0.
[[nodiscard]] std::optional<double> overheads_input(const Setup& setup);

}  // namespace weir::experiments::kinds
