#pragma once

namespace weir::experiments::running {

/// Exit statuses of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kToleranceMissed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kDeadlock = 3;
inline constexpr int kWrongAnswer = 4;
inline constexpr int kBug = 70;
/// Simulation whose surroundings failed (setup::SurroundingsFault); the command's status is
/// kBadInput.
inline constexpr int kRefused = 71;
/// Exit status of an interrupted simulation; an interrupted command uses interruption_status().
inline constexpr int kInterrupted = 130;

/// Exit status of a command whose worker was killed by a signal. The status is kBug for signals of
/// defects, such as SIGSEGV. For signals from outside, such as SIGKILL when memory runs out, the
/// status is kBadInput.
[[nodiscard]] int status_of_kill(int signal);

}  // namespace weir::experiments::running
