#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

/// What BookSim 2 is to simulate: a mesh of two dimensions in dimension order, uniform traffic, and
/// buffers of a packet; its routers have their default pipeline.
struct BooksimMesh {
    std::int64_t extent = 8;
    double load = 0.1;  ///< flits a node and cycle
    std::int64_t packet_flits = 8;
    std::int64_t virtual_channels = 1;
};

/// Throws setup::UserFault unless the program simulates a small mesh and prints what BookSim 2
/// does.
void check_booksim(const std::string& program);

struct BesideBooksim {
    double ratio = 0.0;    ///< of flit-hops a second of processor time, Weir's over BookSim's
    double weir = 0.0;     ///< flit-hops a second
    double booksim = 0.0;  ///< flit-hops a second
};

/// Takes turns: a window of Weir's, of which `flit_hops` counts, and BookSim on the mesh, as often
/// as the effort says; medians. A flit-hop is one flit through one router in both, the source's and
/// the destination's included. BookSim's start does not count: it runs for two lengths.
[[nodiscard]] BesideBooksim time_beside_booksim(const std::function<void()>& window,
                                                const std::function<double()>& flit_hops,
                                                const Effort& effort, const BooksimMesh& mesh);

}  // namespace weir::experiments::bench
