#pragma once

#include <csignal>
#include <vector>

namespace weir::experiments::running {

/// Notes SIGINT, SIGTERM, SIGHUP, and what batch systems warn with (SIGUSR1, SIGUSR2),
/// while it lives, instead of ending the process. One that the process was started to ignore stays
/// ignored.
class InterruptionNoted {
  public:
    /// With the default a second signal, from 0.3 s after the first, ends the process at once.
    enum class Second { kEnds, kIsNoted };

    explicit InterruptionNoted(Second second = Second::kEnds);
    InterruptionNoted(const InterruptionNoted&) = delete;
    InterruptionNoted& operator=(const InterruptionNoted&) = delete;
    ~InterruptionNoted();

  private:
    struct Replaced {
        int signal;
        struct sigaction action;
    };
    std::vector<Replaced> replaced_;
};

/// The first signal that was noted in this process, or in the one it was forked from; or 0.
[[nodiscard]] int noted_signal();
[[nodiscard]] inline bool is_interrupted() { return noted_signal() != 0; }

/// What a process ends with that a signal has interrupted, as a shell says it: 130, 143, 129,
/// 138 or 140.
[[nodiscard]] int interruption_status();
[[nodiscard]] bool is_interruption_status(int status);

}  // namespace weir::experiments::running
