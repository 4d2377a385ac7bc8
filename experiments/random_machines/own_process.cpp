#include "experiments/random_machines/own_process.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <system_error>

namespace weir::experiments::random_machines {

namespace {

constexpr int kThrew = 1;

void write_all(int file, const std::string& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(file, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return;
        }
        written += count;
    }
}

[[noreturn]] void do_work(const std::function<std::string()>& work, int most_processor_seconds,
                          int output) {
    // At the soft limit the process gets SIGXCPU, which is distinct from a kill; at the hard limit
    // it would get SIGKILL.
    const auto seconds = static_cast<rlim_t>(most_processor_seconds);
    const rlimit limit{seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    int status = 0;
    try {
        write_all(output, work());
    } catch (const std::exception& fault) {
        write_all(output, fault.what());
        status = kThrew;
    }
    _exit(status);
}

}  // namespace

OwnProcess::OwnProcess(const std::function<std::string()>& work, int most_processor_seconds)
    : most_processor_seconds_(most_processor_seconds) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    process_ = fork();
    if (process_ < 0) {
        const int error = errno;
        close(ends[0]);
        close(ends[1]);
        throw std::system_error(error, std::generic_category(), "fork");
    }
    if (process_ == 0) {
        close(ends[0]);
        do_work(work, most_processor_seconds, ends[1]);
    }
    close(ends[1]);
    output_ = ends[0];
}

OwnProcess::~OwnProcess() {
    if (output_ >= 0) {
        close(output_);
    }
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

bool OwnProcess::read_on() {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(output_, buffer.data(), buffer.size());
    if (count > 0) {
        text_.append(buffer.data(), count);
    }
    return count > 0 || (count < 0 && errno == EINTR);
}

ProcessEnd OwnProcess::wait() {
    while (read_on()) {
    }
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return {{},
                signal == SIGXCPU ? fmt::format("the process took more than {} s of processor time",
                                                most_processor_seconds_)
                                  : fmt::format("signal {} ({})", signal, strsignal(signal))};
    }
    if (WEXITSTATUS(status) == kThrew) {
        return {{}, text_};
    }
    if (WEXITSTATUS(status) != 0) {
        return {{}, fmt::format("the process ended with status {}", WEXITSTATUS(status))};
    }
    return {text_, {}};
}

ProcessEnd in_own_process(const std::function<std::string()>& work, int most_processor_seconds) {
    return OwnProcess(work, most_processor_seconds).wait();
}

}  // namespace weir::experiments::random_machines
