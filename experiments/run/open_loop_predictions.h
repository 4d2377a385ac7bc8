#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/run/predictions.h"
#include "experiments/run/setup.h"

namespace weir::experiments::run {

/// What models say of open-loop traffic; `distance_hops` is the network's mean distance where
/// packets come one at a time.
///
/// "agarwal": Agarwal's open model as LoGPC has it (Section 3.2, equations (3) to (6)) on top of
/// the latency without contention. It assumes a mesh or torus whose destinations are random (or
/// random within a span, Section 3.3), channels that are all as busy, packets at random times, and
/// a mean distance of a hop or more in each dimension; elsewhere it says nothing, nor from the load
/// on at which its channels are always busy.
///
/// "logp_unloaded": T = T_snd + ceil(M/w) + H r + T_rcv (LogP Section 5.2), H the mean distance, w
/// the channel's bits a cycle, and r what a header's bit takes from router to router. Of packets
/// one at a time alone.
std::vector<Prediction> predict_open_loop(std::span<const std::string> models, const Setup& setup,
                                          std::optional<double> distance_hops);

const std::vector<std::string>& known_open_loop_models();

}  // namespace weir::experiments::run
