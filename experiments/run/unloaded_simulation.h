#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/run/simulation.h"

namespace weir::experiments::run {

/// As simulate_open_loop(), of traffic.pattern = "one_at_a_time": the unloaded network, hop by hop.
///
/// A message's time is T = T_snd + N + T_rcv (LogP Section 5.2). N, the network's term, is what is
/// measured: at each distance; the line through the nearest and the farthest, and how far any
/// packet is off it; at the mean distance, as the mean over all pairs of nodes. Nodes that are
/// their own receivers (LogP's means count them) have the time that the line has at their distance,
/// unless others with the same were measured.
SimulationResult simulate_one_at_a_time(Setup& setup, std::uint64_t seed,
                                        const std::filesystem::path& folder,
                                        const std::function<bool(const Progress&)>& report);

/// T_snd + T_rcv in cycles, an input: machine.unloaded_overheads_cycles. Nothing where it is 0.
[[nodiscard]] std::optional<double> overheads_input(const Setup& setup);

std::vector<std::string> known_unloaded_metrics();

}  // namespace weir::experiments::run
