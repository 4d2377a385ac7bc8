#pragma once

#include <cstdint>

namespace weir::nodes {

/// How a run ended.
enum class RunEnd : std::uint8_t {
    kFinished,     ///< every thread has ended and every message is handled
    kDeadlock,     ///< nothing can happen any more, but threads or messages are left
    kNoProgress,   ///< parts are still busy, but nothing got done for the watchdog's time
    kCycleLimit,   ///< the limit on simulated cycles
    kInterrupted,  ///< the caller asked to stop
};

}  // namespace weir::nodes
