#pragma once

#include <span>
#include <string>

#include "experiments/run/result.h"

namespace weir::experiments::run {

/// The points of an experiment at which packets came one at a time, in 80 columns: cycles by
/// distance for each, and the tables of all; empty when there are none.
[[nodiscard]] std::string unloaded_page(const ExperimentResult& result);

/// Two tables with a row for each such point of the experiments: the network's term of a message's
/// time (measured, hop by hop), and the whole time T beside the formula's and the published one,
/// with its inputs marked. Empty when there are none.
[[nodiscard]] std::string unloaded_tables(std::span<const ExperimentResult> results);

}  // namespace weir::experiments::run
