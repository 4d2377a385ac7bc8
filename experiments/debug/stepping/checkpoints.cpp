#include "experiments/debug/stepping/checkpoints.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <new>

#include "experiments/debug/stepping/open_files.h"
#include "hw/text_streams.h"

namespace weir::experiments::debug {

namespace {

// Process that a checkpoint waits for; 0: none. Read by signal handlers.
volatile pid_t waited_for = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void pass_on(int signal) {
    const int before = errno;
    if (waited_for > 0) {
        ::kill(waited_for, signal);
    }
    errno = before;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(signal, &action, nullptr);
}

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Signals of the process while it waits for the next one.
class WaitingSignals {
  public:
    WaitingSignals() {
        const std::array handlers{std::pair(SIGTERM, &pass_on), std::pair(SIGHUP, &pass_on),
                                  std::pair(SIGINT, SIG_IGN)};
        for (std::size_t i = 0; i < handlers.size(); ++i) {
            ::sigaction(handlers.at(i).first, nullptr, &before_.at(i));
            handle(handlers.at(i).first, handlers.at(i).second);
        }
    }
    WaitingSignals(const WaitingSignals&) = delete;
    WaitingSignals& operator=(const WaitingSignals&) = delete;
    ~WaitingSignals() { restore(); }
    void restore() const {
        constexpr std::array kSignals{SIGTERM, SIGHUP, SIGINT};
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals.at(i), &before_.at(i), nullptr);
        }
    }

  private:
    std::array<struct sigaction, 3> before_{};
};

int status_of(pid_t process) {
    waited_for = process;
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    waited_for = 0;
    return status;
}

// Memory of the process in bytes, with its share of pages that several processes have.
std::int64_t memory_of(int process) {
    hw::FileReader file(fmt::format("/proc/{}/smaps_rollup", process));
    constexpr std::int64_t kKilobyte = 1024;
    for (std::string word; file >> word;) {
        std::int64_t kilobytes = 0;
        if (word == "Pss:" && file >> kilobytes) {
            return kilobytes * kKilobyte;
        }
    }
    return 0;
}

}  // namespace

struct Checkpoints::Shared {
    bool is_asked = false;
    GoBack request;
    std::int64_t command_count = 0;
    std::array<char, 256> last_command{};
};

Checkpoints::Checkpoints() {
    void* const memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    shared_ = new (memory) Shared;
}

Checkpoints::~Checkpoints() { ::munmap(shared_, sizeof(Shared)); }

std::optional<GoBack> Checkpoints::keep(hw::Cycles cycle) {
    const OpenFiles files = OpenFiles::in(folder_);
    const double seconds = seconds_of_run();
    const WaitingSignals signals;
    for (bool is_first = true;; is_first = false) {
        std::cout.flush();
        std::fflush(nullptr);
        const pid_t parent = ::getpid();
        const pid_t process = ::fork();
        if (process == 0) {
            signals.restore();
            ::prctl(PR_SET_PDEATHSIG, SIGTERM);
            if (::getppid() != parent) {
                ::_exit(1);  // the parent has died meanwhile
            }
            cycles_.push_back(cycle);
            processes_.push_back(parent);
            seconds_before_ = seconds;
            return is_first ? std::nullopt : std::optional(shared_->request);
        }
        if (process < 0) {
            // Later requests are for this process's parent. There is always a first checkpoint.
            if (!has_one()) {
                throw std::bad_alloc();
            }
            return std::nullopt;
        }
        const int status = status_of(process);
        if (WIFSIGNALED(status) || !shared_->is_asked || !accepts(cycle)) {
            end_with(status);
        }
        shared_->is_asked = false;
        files.restore();
    }
}

bool Checkpoints::accepts(hw::Cycles cycle) const {
    const GoBack& request = shared_->request;
    // An event before `cycle` is looked for behind a checkpoint, in at least one cycle.
    const hw::Cycles last =
        request.why == GoBack::Why::kCycle ? request.cycle : request.cycle - hw::Cycles(2);
    return !has_one() || cycle <= last;
}

// Ends this checkpoint as the next process has ended.
void Checkpoints::end_with(int status) {
    if (!WIFSIGNALED(status)) {
        ::_exit(WEXITSTATUS(status));
    }
    const int signal = WTERMSIG(status);
    if (!has_one()) {
        throw Lost{signal};
    }
    handle(signal, SIG_DFL);
    ::raise(signal);
    ::_exit(1);
}

void Checkpoints::go_back(const GoBack& request) {
    shared_->request = request;
    shared_->is_asked = true;
    std::cout.flush();
    ::_exit(0);
}

double Checkpoints::seconds_since_last() const { return processor_seconds(); }
double Checkpoints::seconds_of_run() const { return seconds_before_ + processor_seconds(); }

Checkpoints::Memory Checkpoints::memory() const {
    Memory memory{.of_run = memory_of(::getpid())};
    for (const int process : processes_) {
        memory.of_checkpoints += memory_of(process);
    }
    return memory;
}

std::string Checkpoints::last_command() const { return shared_->last_command.data(); }

std::int64_t Checkpoints::command_count() const { return shared_->command_count; }

void Checkpoints::set_last_command(const std::string& command) {
    shared_->command_count += 1;
    const std::size_t length =
        command.copy(shared_->last_command.data(), shared_->last_command.size() - 1);
    shared_->last_command.at(length) = '\0';
}

}  // namespace weir::experiments::debug
