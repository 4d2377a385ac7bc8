#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace weir::experiments::setup {

/// Refusal by the operating system: disk space, memory, a file. The message names the object and
/// the reason. The user can solve it; it is not a fault of Weir.
class SurroundingsFault : public std::runtime_error {
  public:
    /// Arguments, for example: the file "runs/x/result.json", and the reason "No space left on
    /// device".
    SurroundingsFault(const std::string& what, const std::string& reason)
        : std::runtime_error(what + ": " + reason) {}
};

/// The system's message for an errno, with the shell's limit that applies: "Too many open files
/// (ulimit -n)".
[[nodiscard]] std::string system_reason(int error);

inline constexpr const char* kNoMemory =
    "the system refuses more memory (ulimit -v, or another limit)";

/// Message of the exception being handled, if it is a refusal by the system. Refusals are a
/// SurroundingsFault, or the standard library's exception about memory, a file or a process.
/// Returns nullopt for other exceptions.
[[nodiscard]] std::optional<std::string> refusal_text();

/// From this call on, the process exits with `status` if memory runs out and no handler can catch
/// the exception. Examples: before main(), or in a noexcept function. Prints the message kNoMemory
/// if `is_told`.
void end_without_memory(int status, bool is_told);

}  // namespace weir::experiments::setup
