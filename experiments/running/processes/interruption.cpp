#include "experiments/running/processes/interruption.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <ctime>

namespace weir::experiments::running {

namespace {

// SIGUSR1 and SIGUSR2 are warnings of batch systems before a job's time limit.
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
constexpr int kBySignal = 128;

// Signals within this time are one request: timeout, for example, sends a signal to a process and
// again to its group. A user who presses Ctrl-C twice takes longer.
constexpr std::int64_t kAnotherAfterNanoseconds = 300'000'000;

volatile std::sig_atomic_t noted = 0;
std::atomic<std::int64_t> noted_at = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "signal handlers write noted_at");

std::int64_t nanoseconds_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

void note(int signal) {
    if (noted == 0) {
        noted = signal;
        noted_at = nanoseconds_now();
    }
}

// A second signal, after that time, ends the process.
void note_or_end(int signal) {
    if (noted != 0 && nanoseconds_now() - noted_at > kAnotherAfterNanoseconds) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    note(signal);
}

}  // namespace

InterruptionNoted::InterruptionNoted(Second second) {
    struct sigaction action {};
    action.sa_handler = second == Second::kEnds ? note_or_end : note;
    for (const int signal : kSignals) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {
            sigaction(signal, &action, nullptr);
            replaced_.push_back({signal, before});
        }
    }
}

InterruptionNoted::~InterruptionNoted() {
    for (const Replaced& each : replaced_) {
        sigaction(each.signal, &each.action, nullptr);
    }
}

int noted_signal() { return noted; }

int interruption_status() { return kBySignal + (noted != 0 ? noted : SIGINT); }

bool is_interruption_status(int status) {
    return std::any_of(kSignals.begin(), kSignals.end(),
                       [status](int signal) { return status == kBySignal + signal; });
}

}  // namespace weir::experiments::running
