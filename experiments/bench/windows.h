#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/plain_network.h"
#include "network/network_parameters.h"

namespace weir::experiments::bench {

/// Simulation to be timed, which can advance to a given cycle.
struct Subject {
    std::function<void(std::int64_t last)> run_through;
    std::function<std::int64_t()> flit_hops;
    std::function<std::int64_t()> messages;  ///< messages that have arrived
};

/// Returns a function that advances `subject` by one window at each call, from cycle `begin` on.
/// `subject` must outlive the function.
[[nodiscard]] std::function<void()> windows_of(const Subject& subject, std::int64_t window_cycles,
                                               std::int64_t begin = 0);

/// Mean time and work of a window.
struct Speed {
    double seconds = 0.0;
    double flit_hops = 0.0;
    double messages = 0.0;
    double active_router_cycles = 0.0;  ///< router-cycles that held or awaited a flit; 0: unknown

    [[nodiscard]] Json json(std::int64_t window_cycles) const;
};

struct PairOfSpeeds {
    Speed weir;
    Speed plain_loop;
};

/// Times `repetitions` windows of each simulation alternately, after one window to warm up. Seconds
/// are medians.
[[nodiscard]] PairOfSpeeds time_windows(const Subject& weir, PlainNetwork& plain,
                                        std::int64_t window_cycles, int repetitions);

/// Cycles to simulate when instructions are counted. Counts do not vary, so few cycles are enough.
[[nodiscard]] constexpr std::int64_t cycles_counted(std::int64_t window_cycles) {
    return std::max(window_cycles / 16, std::int64_t{512});
}

/// Network of the Alewife preset with other dimensions.
struct NetworkOf : network::NetworkParameters {
    explicit NetworkOf(const std::vector<std::int64_t>& extents);
};
[[nodiscard]] PlainNetworkTiming timing_of(const network::NetworkParameters& parameters);

}  // namespace weir::experiments::bench
