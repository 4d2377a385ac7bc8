#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/run/predictions.h"
#include "experiments/run/setup.h"

namespace weir::experiments::run {

/// What models say of open-loop traffic.
///
/// "agarwal": Agarwal's open model as LoGPC has it (Section 3.2, equations (3) to (6)) on top of
/// the latency without contention. It assumes a mesh or torus whose destinations are random (or
/// random within a span, Section 3.3), channels that are all as busy, packets at random times, and
/// a mean distance of a hop or more in each dimension; elsewhere it says nothing, nor from the load
/// on at which its channels are always busy.
std::vector<Prediction> predict_open_loop(std::span<const std::string> models, const Setup& setup);

const std::vector<std::string>& known_open_loop_models();

}  // namespace weir::experiments::run
