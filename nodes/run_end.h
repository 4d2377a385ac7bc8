#pragma once

#include <cstdint>
#include <string_view>

namespace weir::nodes {

/// How a run ended.
enum class RunEnd : std::uint8_t {
    kFinished,     ///< every thread has ended and every message is handled
    kDeadlock,     ///< nothing can happen any more, but threads or messages are left
    kNoProgress,   ///< parts are still busy, but nothing got done for the watchdog's time
    kCycleLimit,   ///< the limit on simulated cycles
    kInterrupted,  ///< the caller asked to stop
    kStarved,      ///< a thread, or its access to shared memory, got nothing for too long
};

/// As a trace's run_info and the tables of experiments name it: "no progress".
[[nodiscard]] constexpr std::string_view run_end_name(RunEnd end) {
    switch (end) {
        case RunEnd::kFinished:
            return "finished";
        case RunEnd::kDeadlock:
            return "deadlock";
        case RunEnd::kNoProgress:
            return "no progress";
        case RunEnd::kCycleLimit:
            return "cycle limit";
        case RunEnd::kInterrupted:
            return "interrupted";
        case RunEnd::kStarved:
            return "starved";
    }
    return "";
}

}  // namespace weir::nodes
