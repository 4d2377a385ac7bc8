#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/records/prediction.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::experiments::kinds {

/// What models say of traffic; `distance_hops` is the network's mean distance where
/// packets come one at a time.
///
/// "agarwal": Agarwal's open model as LoGPC has it (Section 3, equations (3) to (6)) on top of
/// the latency without contention. It assumes a mesh or torus whose destinations are random (or
/// random within a span, Section 3.3), channels that are all as busy, packets at random times, and
/// a mean distance of a hop or more in each dimension; elsewhere it says nothing, nor from the load
/// on at which its channels are always busy.
///
/// "logp_unloaded": T = T_snd + ceil(M/w) + H r + T_rcv (LogP Section 5.2), H the mean distance, w
/// the channel's bits a cycle, and r what a header's bit takes from router to router. Of packets
/// one at a time alone.
std::vector<records::Prediction> predict_traffic(std::span<const std::string> models,
                                                 const Setup& setup,
                                                 const network::TrafficParameters& traffic,
                                                 std::optional<double> distance_hops);

const std::vector<std::string>& traffic_models();

/// T_snd + T_rcv in cycles, an input: machine.unloaded_overheads_cycles. Nothing where it is 0.
[[nodiscard]] std::optional<double> overheads_input(const Setup& setup);

}  // namespace weir::experiments::kinds
