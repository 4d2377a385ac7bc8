#include "experiments/run/worker_pool.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <system_error>

namespace weir::experiments::run {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupt_requested = 0;

// The second time means it.
void note_interrupt(int signal) {
    if (interrupt_requested != 0) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    interrupt_requested = 1;
}

// Ctrl-C is noted, not obeyed, while this lives; parent and children alike see it.
class InterruptNoted {
  public:
    InterruptNoted() {
        struct sigaction action {};
        action.sa_handler = note_interrupt;
        sigaction(SIGINT, &action, &old_interrupt_);
        sigaction(SIGTERM, &action, &old_termination_);
    }
    InterruptNoted(const InterruptNoted&) = delete;
    InterruptNoted& operator=(const InterruptNoted&) = delete;
    ~InterruptNoted() {
        sigaction(SIGINT, &old_interrupt_, nullptr);
        sigaction(SIGTERM, &old_termination_, nullptr);
    }

  private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_termination_ {};
};

// What a child tells its parent, in memory both can see.
struct Slot {
    double simulated_cycles;
    double share_done;
    std::array<char, 32'768> message;
};

class SharedSlots {
  public:
    explicit SharedSlots(std::size_t count)
        : bytes_(std::max<std::size_t>(1, count) * sizeof(Slot)) {
        void* memory =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::system_error(errno, std::generic_category(),
                                    "shared memory for the workers");
        }
        slots_ = static_cast<Slot*>(memory);
    }
    SharedSlots(const SharedSlots&) = delete;
    SharedSlots& operator=(const SharedSlots&) = delete;
    ~SharedSlots() { munmap(slots_, bytes_); }
    Slot& operator[](std::size_t i) { return slots_[i]; }

  private:
    std::size_t bytes_;
    Slot* slots_;
};

// The one live line: simulated cycles, cycles a second, share done, time left.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

    void update(SharedSlots& slots, std::size_t count) {
        const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
        if (!wanted_ || seconds < 2.0) {
            return;
        }
        double cycles = 0.0;
        double share = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            cycles += slots[i].simulated_cycles;
            share += slots[i].share_done / static_cast<double>(count);
        }
        const std::string left =
            share > 0.001 ? fmt::format("{:.0f} s left", seconds * (1.0 - share) / share) : "";
        fmt::print(stderr, "\r\033[K{:.2f} M cycles, {:.2f} M cycles/s, {:.0f} % done, {}",
                   cycles / 1e6, cycles / 1e6 / seconds, 100.0 * share, left);
        std::fflush(stderr);
        shown_ = true;
    }
    void clear() const {
        if (shown_) {
            fmt::print(stderr, "\r\033[K");
            std::fflush(stderr);
        }
    }

  private:
    bool wanted_;
    bool shown_ = false;
    Clock::time_point begin_ = Clock::now();
};

int run_child(std::size_t index, Slot& slot, const WorkerPool::Work& work) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const WorkerPool::Report report = [&slot](const Progress& progress) {
        slot.simulated_cycles = progress.simulated_cycles;
        slot.share_done = progress.share_done;
        return interrupt_requested == 0;
    };
    std::string message;
    const int status = work(index, report, message);
    const std::size_t length = std::min(message.size(), slot.message.size() - 1);
    std::memcpy(slot.message.data(), message.data(), length);
    slot.message[length] = '\0';
    if (interrupt_requested == 0) {
        slot.share_done = 1.0;
    }
    return status;
}

}  // namespace

bool WorkerPool::interrupted() { return interrupt_requested != 0; }

std::vector<WorkOutcome> WorkerPool::run(std::size_t count, const Work& work) {
    const InterruptNoted interrupt_noted;
    SharedSlots slots(count);
    ProgressLine line(show_progress_);
    std::vector<WorkOutcome> outcomes(count);
    std::map<pid_t, std::size_t> running;
    std::size_t next = 0;
    std::fflush(nullptr);
    while (next < count || !running.empty()) {
        while (next < count && running.size() < static_cast<std::size_t>(workers_) &&
               !interrupted()) {
            const pid_t child = fork();
            if (child < 0) {
                throw std::system_error(errno, std::generic_category(), "starting a worker");
            }
            if (child == 0) {
                const int status = run_child(next, slots[next], work);
                std::fflush(nullptr);
                // Not exit(): what the parent set up is the parent's to take down.
                _exit(status);
            }
            running.emplace(child, next++);
        }
        if (interrupted()) {
            next = count;
        }
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0) {
            const auto found = running.find(ended);
            if (found != running.end()) {
                WorkOutcome& outcome = outcomes[found->second];
                outcome.how =
                    WIFEXITED(status) ? WorkOutcome::How::kExited : WorkOutcome::How::kKilled;
                outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
                outcome.message = slots[found->second].message.data();
                running.erase(found);
            }
            continue;
        }
        line.update(slots, count);
        usleep(5'000);
    }
    line.clear();
    return outcomes;
}

}  // namespace weir::experiments::run
