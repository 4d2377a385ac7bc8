#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// Network that BookSim 2 simulates under uniform traffic, with its default pipeline. Each buffer
/// holds one packet.
struct BooksimNetwork {
    /// Options of the topology, the routing and the number of virtual channels, each ended by ";".
    std::string options;
    double nodes = 0.0;
    double routers = 0.0;  ///< mean number of routers on a route; chooses the length of runs
    double load = 0.1;     ///< flits per node and cycle
    std::int64_t packet_flits = 8;
};

/// Two-dimensional mesh with dimension-order routing.
[[nodiscard]] BooksimNetwork booksim_mesh(std::int64_t extent, double load,
                                          std::int64_t packet_flits, std::int64_t virtual_channels);

/// Throws setup::UserFault unless the program simulates a small mesh and prints BookSim 2's
/// results.
void check_booksim(const std::string& program);

/// BookSim's flit-hops per second of processor time. BookSim runs for two lengths, so that its
/// start does not count.
[[nodiscard]] double booksim_speed(const std::string& program, const BooksimNetwork& network);

struct BesideBooksim {
    double ratio = 0.0;    ///< Weir's flit-hops per second of processor time, divided by BookSim's
    double weir = 0.0;     ///< flit-hops per second
    double booksim = 0.0;  ///< flit-hops per second
};

/// Compares Weir with BookSim on a network. Runs a window of Weir's network and BookSim
/// alternately, `effort.repetitions` times each, and returns medians. `flit_hops` returns Weir's
/// total of flit-hops. In both programs a flit-hop is one flit through one router, including the
/// source's and the destination's. BookSim runs for two lengths, so that its start does not count.
[[nodiscard]] BesideBooksim time_beside_booksim(const std::function<void()>& window,
                                                const std::function<double()>& flit_hops,
                                                const Effort& effort,
                                                const BooksimNetwork& network);

}  // namespace weir::experiments::bench
