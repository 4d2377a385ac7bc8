#include "experiments/running/processes/interruption.h"

#include <algorithm>
#include <array>

namespace weir::experiments::running {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
constexpr int kBySignal = 128;

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
    if (noted == 0) {
        noted = signal;
    }
}

// The second time means it.
void note_or_end(int signal) {
    if (noted != 0) {
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
