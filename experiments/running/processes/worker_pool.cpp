#include "experiments/running/processes/worker_pool.h"

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
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::running {

namespace {

using Clock = std::chrono::steady_clock;

// Report of a child to its parent, in shared memory.
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

// Keeps all outcomes, and updates the progress line.
class KeptOutcomes final : public WorkerPool::Watcher {
  public:
    KeptOutcomes(std::size_t count, ProgressLine* line) : outcomes(count), line_(line) {}
    bool ended(std::size_t index, const WorkOutcome& outcome) override {
        outcomes[index] = outcome;
        return true;
    }
    void progress(const PoolProgress& progress) override {
        if (line_ != nullptr) {
            line_->show(progress);
        }
    }

    std::vector<WorkOutcome> outcomes;

  private:
    ProgressLine* line_;
};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Time after which work that was asked to end is killed. Work that prepares a program or measures a
// trace does not check for the request. Killing it loses nothing: no results exist yet, or the
// trace is complete. A simulation checks, and gets the time to close its trace.
constexpr std::chrono::milliseconds kTimeToEndUnasked{700};
constexpr std::chrono::milliseconds kTimeToEndSimulating{10'000};

// Catches all exceptions: none may reach the parent's stack frames.
int status_of(const WorkerPool::Work& work, std::size_t index, const WorkerPool::Report& report,
              std::string& message) {
    try {
        return work(index, report, message);
    } catch (const std::exception& fault) {
        const auto refusal = setup::refusal_text();
        message = refusal ? *refusal : std::string("this is a fault of Weir's: ") + fault.what();
        return refusal ? kRefused : kBug;
    }
}

int work_in_child(std::size_t index, Slot& slot, const WorkerPool::Work& work) {
    // Requests to end come from the parent and from the terminal; the parent kills the process if
    // necessary.
    const InterruptionNoted interruption_noted(InterruptionNoted::Second::kIsNoted);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setup::end_without_memory(kRefused, false);
    const WorkerPool::Report report = [&slot](const records::Progress& progress) {
        slot.simulated_cycles = progress.simulated_cycles;
        slot.share_done = progress.share_done;
        return !is_interrupted();
    };
    std::string message;
    const int status = status_of(work, index, report, message);
    const std::size_t length = std::min(message.size(), slot.message.size() - 1);
    std::memcpy(slot.message.data(), message.data(), length);
    slot.message[length] = '\0';
    if (!is_interrupted()) {
        slot.share_done = 1.0;
    }
    return status;
}

// If memory is refused before the work begins, the child's message stays empty; the parent then
// reports the refusal.
int run_child(std::size_t index, Slot& slot, const WorkerPool::Work& work) {
    try {
        return work_in_child(index, slot, work);
    } catch (const std::bad_alloc&) {
        return kRefused;
    }
}

// Running pieces of work with a slot each, and the work that has ended.
class RunningWork {
  public:
    RunningWork(std::size_t count, int workers)
        : most_(std::min<std::size_t>(count, workers)), slots_(most_) {
        progress_.count = count;
        progress_.workers = most_;
        for (std::size_t slot = most_; slot > 0; --slot) {
            free_slots_.push_back(slot - 1);
        }
    }

    [[nodiscard]] bool is_empty() const { return running_.empty(); }
    [[nodiscard]] bool has_room() const { return !free_slots_.empty(); }

    void start(std::size_t index, const WorkerPool::Work& work) {
        const std::size_t slot = free_slots_.back();
        slots_[slot].simulated_cycles = 0.0;
        slots_[slot].share_done = 0.0;
        slots_[slot].message[0] = '\0';
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child < 0) {
            throw std::system_error(errno, std::generic_category(), "starting a worker");
        }
        if (child == 0) {
            const int status = run_child(index, slots_[slot], work);
            std::fflush(nullptr);
            // Not exit(), which would destroy objects of the parent.
            _exit(status);
        }
        free_slots_.pop_back();
        running_.emplace(child, Piece{index, slot, Clock::now()});
    }

    /// Next piece that has ended; empty if there is none.
    std::optional<std::pair<std::size_t, WorkOutcome>> take_ended() {
        int status = 0;
        const pid_t process = waitpid(-1, &status, WNOHANG);
        const auto found = process > 0 ? running_.find(process) : running_.end();
        if (found == running_.end()) {
            return std::nullopt;
        }
        const Piece piece = found->second;
        running_.erase(found);
        Slot& slot = slots_[piece.slot];
        if (WIFEXITED(status) && WEXITSTATUS(status) == kRefused && slot.message[0] == '\0') {
            std::strcpy(slot.message.data(), setup::kNoMemory);
        }
        free_slots_.push_back(piece.slot);
        // True if a signal that only this process received has ended it.
        const bool is_ended_alone =
            WIFEXITED(status) && WEXITSTATUS(status) == kInterrupted && !is_interrupted();
        const bool is_killed = !WIFEXITED(status) || is_ended_alone;
        const int signal = is_ended_alone ? SIGTERM : WTERMSIG(status);
        const double seconds = seconds_since(piece.begin);
        ++progress_.ended;
        progress_.ended_seconds += seconds;
        ended_cycles_ += slot.simulated_cycles;
        slot.simulated_cycles = 0.0;
        slot.share_done = 0.0;
        return std::pair{
            piece.index,
            WorkOutcome{is_killed ? WorkOutcome::How::kKilled : WorkOutcome::How::kExited,
                        is_killed ? signal : WEXITSTATUS(status), slot.message.data(), seconds}};
    }

    [[nodiscard]] PoolProgress progress() {
        PoolProgress now = progress_;
        now.simulated_cycles = ended_cycles_;
        auto share = static_cast<double>(now.ended);
        now.running.reserve(running_.size());
        for (const auto& [process, piece] : running_) {
            const Slot& slot = slots_[piece.slot];
            now.simulated_cycles += slot.simulated_cycles;
            share += slot.share_done;
            now.running.push_back({piece.index, slot.share_done, seconds_since(piece.begin)});
        }
        std::sort(now.running.begin(), now.running.end(),
                  [](const RunningPiece& a, const RunningPiece& b) { return a.index < b.index; });
        now.share_done = share / static_cast<double>(std::max<std::size_t>(1, now.count));
        now.seconds = seconds_since(begin_);
        return now;
    }

    /// Requests all pieces to end, as Ctrl-C does, and kills those that are late. To be called
    /// repeatedly.
    void end() {
        const bool is_first_time = !asked_;
        if (is_first_time) {
            asked_ = Clock::now();
        }
        for (const auto& [process, piece] : running_) {
            const Slot& slot = slots_[piece.slot];
            const bool simulates = slot.simulated_cycles > 0.0 && slot.share_done < 1.0;
            const auto time = simulates ? kTimeToEndSimulating : kTimeToEndUnasked;
            const bool is_late = Clock::now() - *asked_ > time;
            if (is_first_time || is_late) {
                kill(process, is_late ? SIGKILL : SIGTERM);
            }
        }
    }

  private:
    struct Piece {
        std::size_t index;
        std::size_t slot;
        Clock::time_point begin;
    };

    std::size_t most_;
    SharedSlots slots_;
    std::vector<std::size_t> free_slots_;
    std::map<pid_t, Piece> running_;
    PoolProgress progress_;
    double ended_cycles_ = 0.0;
    std::optional<Clock::time_point> asked_;  ///< time of the request to end
    Clock::time_point begin_ = Clock::now();
};

}  // namespace

std::vector<WorkOutcome> WorkerPool::run(std::size_t count, const Work& work,
                                         ProgressLine* line) const {
    KeptOutcomes kept(count, line);
    run(count, work, kept);
    return kept.outcomes;
}

void WorkerPool::run(std::size_t count, const Work& work, Watcher& watcher) const {
    const InterruptionNoted interruption_noted;
    RunningWork running(count, workers_);
    std::size_t next = 0;
    bool is_ending = false;
    std::exception_ptr fault;
    while ((next < count && !is_ending) || !running.is_empty()) {
        is_ending = is_ending || is_interrupted();
        if (is_ending) {
            running.end();
        }
        const auto ended = running.take_ended();
        if (fault == nullptr) {
            try {
                is_ending = (ended && !watcher.ended(ended->first, ended->second)) || is_ending;
                while (next < count && running.has_room() && !is_ending) {
                    running.start(next++, work);
                }
                watcher.progress(running.progress());
            } catch (...) {
                fault = std::current_exception();
                is_ending = true;
            }
        }
        if (!ended) {
            usleep(5'000);
        }
    }
    if (fault != nullptr) {
        std::rethrow_exception(fault);
    }
}

}  // namespace weir::experiments::running
