#pragma once

#include <cstddef>
#include <vector>

namespace weir::experiments::running {

/// Running piece of work.
struct RunningPiece {
    std::size_t index = 0;
    double share_done = 0.0;
    double seconds = 0.0;  ///< host time since its start
};

/// Progress of a pool of workers.
struct PoolProgress {
    std::size_t count = 0;  ///< number of all pieces of work
    std::size_t ended = 0;
    double share_done = 0.0;        ///< share done of all work, with equal weight for each piece
    double simulated_cycles = 0.0;  ///< sum over all pieces, including those that have ended
    double seconds = 0.0;           ///< host time since the begin
    double ended_seconds = 0.0;     ///< sum of the times of pieces that have ended
    std::size_t workers = 1;        ///< number of concurrent pieces
    std::vector<RunningPiece> running = {};  ///< longest-running piece first
};

}  // namespace weir::experiments::running
