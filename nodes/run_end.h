#pragma once

#include <cstdint>
#include <string_view>

namespace weir::nodes {

/// Reason for which a run ended.
enum class RunEnd : std::uint8_t {
    kFinished,     ///< every thread has ended and every message is handled
    kDeadlock,     ///< no part can act any more, but threads or messages are left
    kNoProgress,   ///< parts are busy, but have made no progress for the watchdog's time
    kCycleLimit,   ///< the limit on simulated cycles
    kInterrupted,  ///< the caller of the run asked it to stop
    kStarved,      ///< a thread, or its access to shared memory, was not served for too long
};

/// Name of the reason in a trace's run_info and in tables of experiments, such as "no progress".
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
