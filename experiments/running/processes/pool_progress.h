#pragma once

#include <cstddef>
#include <vector>

namespace weir::experiments::running {

/// A piece of work that runs now.
struct RunningPiece {
    std::size_t index = 0;
    double share_done = 0.0;
    double seconds = 0.0;  ///< of host time since its start
};

/// How far a pool of workers has come.
struct PoolProgress {
    std::size_t count = 0;  ///< pieces of work
    std::size_t ended = 0;
    double share_done = 0.0;                 ///< of all work, each piece counted alike
    double simulated_cycles = 0.0;           ///< of what has ended, too
    double seconds = 0.0;                    ///< of host time since the begin
    double ended_seconds = 0.0;              ///< that what has ended took: a sum over the pieces
    std::size_t workers = 1;                 ///< pieces that can run at a time
    std::vector<RunningPiece> running = {};  ///< the one that has run longest first
};

}  // namespace weir::experiments::running
