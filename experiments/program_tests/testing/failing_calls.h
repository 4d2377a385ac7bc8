#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace weir::experiments {

/// Kinds of system resources that a program requests, and that may be refused.
enum class CallKind : std::int32_t { kMemory, kWrite, kOpen };
inline constexpr int kCallKinds = 3;

/// Process whose calls are counted: the started process, its forked workers, or any of them.
enum class Caller : std::int32_t { kProgram, kWorkers, kAny };

/// Selects the call that fails; after the program's end, holds its counts of calls. Stored in a
/// file that failing_calls.cpp maps; kFailingCallsVariable has the file's path.
struct FailingCalls {
    // Set by the process that starts the program.
    CallKind kind = CallKind::kMemory;
    Caller caller = Caller::kAny;
    std::int64_t at = 0;         ///< number of the failing call, from 1; 0: none fails
    std::int32_t error = 0;      ///< errno of the failing call; 0: the call kills its process
    std::int32_t and_after = 0;  ///< nonzero: all later calls of the kind fail as well

    // Set by the program.
    std::atomic<pid_t> program = 0;
    /// Number of calls by the program and by its workers.
    std::atomic<std::int64_t> calls[kCallKinds][2] = {};
    std::atomic<std::int64_t> failed = 0;
    char function[32] = {};  ///< name of the first function that failed
};

inline constexpr const char* kFailingCallsVariable = "WEIR_FAILING_CALLS";

}  // namespace weir::experiments
