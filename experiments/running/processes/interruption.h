#pragma once

#include <csignal>
#include <vector>

namespace weir::experiments::running {

/// Notes signals while this object exists, instead of ending the process: SIGINT, SIGTERM, SIGHUP,
/// and batch systems' warnings SIGUSR1 and SIGUSR2. Signals that the process was started to ignore
/// stay ignored.
class InterruptionNoted {
  public:
    /// By default a second signal, from 0.3 s after the first, ends the process at once.
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

/// First signal that was noted in this process, or in the process that forked it; 0: none.
[[nodiscard]] int noted_signal();
[[nodiscard]] inline bool is_interrupted() { return noted_signal() != 0; }

/// Exit status of an interrupted process, as shells report the signal: 130, 143, 129, 138 or 140.
[[nodiscard]] int interruption_status();
[[nodiscard]] bool is_interruption_status(int status);

}  // namespace weir::experiments::running
