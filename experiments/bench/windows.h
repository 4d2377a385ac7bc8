#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/plain_network.h"
#include "network/network_parameters.h"

namespace weir::experiments::bench {

/// What is timed: something that can go on to a cycle.
struct Subject {
    std::function<void(std::int64_t last)> run_through;
    std::function<std::int64_t()> flit_hops;
    std::function<std::int64_t()> messages;  ///< that have arrived
};

/// Goes on by a window of so many cycles each time it is called, from cycle `begin` on; the subject
/// must stay.
[[nodiscard]] std::function<void()> windows_of(const Subject& subject, std::int64_t window_cycles,
                                               std::int64_t begin = 0);

/// What a window took and held, in the mean.
struct Speed {
    double seconds = 0.0;
    double flit_hops = 0.0;
    double messages = 0.0;
    double active_router_cycles = 0.0;  ///< cycles of routers that held or awaited a flit; or 0

    [[nodiscard]] Json json(std::int64_t window_cycles) const;
};

struct PairOfSpeeds {
    Speed weir;
    Speed plain_loop;
};

/// So many windows of each, taking turns, after one to warm up; of their times the median.
[[nodiscard]] PairOfSpeeds time_windows(const Subject& weir, PlainNetwork& plain,
                                        std::int64_t window_cycles, int repetitions);

/// The cycles that are simulated where instructions are counted, of which a few are enough.
[[nodiscard]] constexpr std::int64_t cycles_counted(std::int64_t window_cycles) {
    return std::max(window_cycles / 16, std::int64_t{512});
}

/// The network of the Alewife preset, but for its dimensions.
struct NetworkOf : network::NetworkParameters {
    explicit NetworkOf(const std::vector<std::int64_t>& extents);
};
[[nodiscard]] PlainNetworkTiming timing_of(const network::NetworkParameters& parameters);

}  // namespace weir::experiments::bench
