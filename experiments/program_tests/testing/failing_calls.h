#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace weir::experiments {

/// What the program asks the system for, and may be refused.
enum class CallKind : std::int32_t { kMemory, kWrite, kOpen };
inline constexpr int kCallKinds = 3;

/// Whose calls are counted: those of the process that was started, or of those that it forks.
enum class Caller : std::int32_t { kProgram, kWorkers, kAny };

/// Which call is to fail and, when the program has ended, what it has called: a file that
/// failing_calls.cpp maps, whose path stands in kFailingCallsVariable.
struct FailingCalls {
    // Set by who starts the program.
    CallKind kind = CallKind::kMemory;
    Caller caller = Caller::kAny;
    std::int64_t at = 0;         ///< from 1; 0: none fails
    std::int32_t error = 0;      ///< errno of a failed call; 0: its process is killed at it
    std::int32_t and_after = 0;  ///< not 0: all later calls of the kind fail as well

    // Set by the program.
    std::atomic<pid_t> program = 0;
    std::atomic<std::int64_t> calls[kCallKinds][2] = {};  ///< of the program and of its workers
    std::atomic<std::int64_t> failed = 0;
    char function[32] = {};  ///< of the first that failed
};

inline constexpr const char* kFailingCallsVariable = "WEIR_FAILING_CALLS";

}  // namespace weir::experiments
