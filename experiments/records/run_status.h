#pragma once

#include <array>
#include <string>
#include <string_view>

namespace weir::experiments::records {

/// How a run ended, for databases and pages.
enum class RunStatus {
    kOk,
    kFailed,
    kDeadlocked,
    kStarved,     ///< a thread, or its access to shared memory, did not progress for too long
    kCycleLimit,  ///< the run had not ended after run.most_cycles cycles
    kBad,         ///< the run's input was invalid
    kSaturated,   ///< the run ended well, but the offered load exceeded capacity (saturation.h)
};

/// All statuses, in the order in which pages count them.
inline constexpr std::array kRunStatuses{
    RunStatus::kOk,      RunStatus::kSaturated,  RunStatus::kFailed, RunStatus::kDeadlocked,
    RunStatus::kStarved, RunStatus::kCycleLimit, RunStatus::kBad};

[[nodiscard]] constexpr const char* status_name(RunStatus status) {
    switch (status) {
        case RunStatus::kOk:
            return "ok";
        case RunStatus::kSaturated:
            return "saturated";
        case RunStatus::kDeadlocked:
            return "deadlocked";
        case RunStatus::kStarved:
            return "starved";
        case RunStatus::kCycleLimit:
            return "reached run.most_cycles";
        case RunStatus::kBad:
            return "bad";
        default:
            return "failed";
    }
}

/// True if the run failed: it has a message, and --retry repeats it.
[[nodiscard]] constexpr bool is_trouble(std::string_view status) {
    return status != status_name(RunStatus::kOk) && status != status_name(RunStatus::kSaturated);
}

/// First line of a run's message, without the colon before a list.
[[nodiscard]] inline std::string headline_of(std::string_view message) {
    const std::string_view line = message.substr(0, message.find('\n'));
    return std::string(line.substr(0, line.find_last_not_of(" :.;") + 1));
}

}  // namespace weir::experiments::records
