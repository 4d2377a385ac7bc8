#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace weir::experiments::setup {

/// What the system refuses: room on a disk, memory, a file. It says what for and why, and is for
/// the user to mend; it is no fault of Weir's.
class SurroundingsFault : public std::runtime_error {
  public:
    /// "runs/x/result.json", "No space left on device"
    SurroundingsFault(const std::string& what, const std::string& reason)
        : std::runtime_error(what + ": " + reason) {}
};

/// What the system says of an errno, and where a shell has a limit of it which: "Too many open
/// files (ulimit -n)".
[[nodiscard]] std::string system_reason(int error);

inline constexpr const char* kNoMemory =
    "the system gives no more memory (ulimit -v, or what else limits it)";

/// What the exception that is being handled says, if it is one of the system's refusals: a
/// SurroundingsFault, or a standard library's of memory, a file or a process.
[[nodiscard]] std::optional<std::string> refusal_text();

/// From here on this process ends with that status where memory runs out and no handler can be
/// reached: before main(), or in what may not throw. It tells kNoMemory if `is_told`.
void end_without_memory(int status, bool is_told);

}  // namespace weir::experiments::setup
