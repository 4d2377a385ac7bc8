#include "experiments/debug/stepping/step_terminal.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>

namespace weir::experiments::debug {

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): set by a signal handler
volatile std::sig_atomic_t interrupted = 0;

constexpr std::size_t kMostLineBytes = 1000;

}  // namespace

struct StepTerminal::Before {
    struct sigaction action {};
};

StepTerminal::StepTerminal() : is_interactive_(::isatty(STDIN_FILENO) != 0), before_(new Before) {
    struct sigaction action {};
    action.sa_handler = [](int /*signal*/) { interrupted = 1; };
    if (is_interactive_) {
        ::sigaction(SIGINT, &action, &before_->action);
    }
}

StepTerminal::~StepTerminal() {
    if (is_interactive_) {
        ::sigaction(SIGINT, &before_->action, nullptr);
    }
}

bool StepTerminal::is_interrupted() {
    const bool is = interrupted != 0;
    interrupted = 0;
    return is;
}

std::optional<std::string> StepTerminal::next_line() {
    if (is_interactive_) {
        std::cout << "weir> ";
    }
    std::cout.flush();
    std::string line;
    for (char byte = 0;;) {
        const ssize_t read = ::read(STDIN_FILENO, &byte, 1);
        if (read < 0 && errno == EINTR) {
            continue;
        }
        if (read <= 0) {
            return line.empty() ? std::nullopt : std::optional(line);
        }
        if (byte == '\n') {
            return line;
        }
        if (line.size() < kMostLineBytes) {
            line += byte;
        }
    }
}

}  // namespace weir::experiments::debug
