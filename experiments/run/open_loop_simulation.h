#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/run/simulation.h"

namespace weir::experiments::run {

/// As simulate(), of a setup of open-loop traffic. Leaves in `folder`: configuration.toml,
/// statistics.json, statistics.csv, channels.csv and, of a mesh or torus of two dimensions,
/// channels.svg. Throws std::logic_error when flits are not conserved.
SimulationResult simulate_open_loop(Setup& setup, std::uint64_t seed,
                                    const std::filesystem::path& folder,
                                    const std::function<bool(const Progress&)>& report);

/// The metrics it measures, and how far models of it are off, for the check of [published].
std::vector<std::string> known_open_loop_metrics();

}  // namespace weir::experiments::run
