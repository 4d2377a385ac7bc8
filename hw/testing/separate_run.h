#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace weir::hw::testing {

/// Runs `experiment` in a separate process, since SystemC can be elaborated only once per process,
/// and returns its text. An experiment that crashes or fails an expectation returns "failed".
inline std::string result_of_separate_run(const std::function<std::string()>& experiment) {
    std::array<int, 2> channel{};
    if (pipe(channel.data()) != 0) {
        return "failed";
    }
    const pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        const std::string result = experiment();
        const auto written = write(channel[1], result.data(), result.size());
        const bool good =
            written == static_cast<ssize_t>(result.size()) && !::testing::Test::HasFailure();
        _exit(good ? 0 : 1);
    }
    close(channel[1]);
    std::string result;
    std::array<char, 4096> part{};
    for (ssize_t length = 0; (length = read(channel[0], part.data(), part.size())) > 0;) {
        result.append(part.data(), length);
    }
    close(channel[0]);
    int status = 0;
    const bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended && WEXITSTATUS(status) == 0 ? result : "failed";
}

}  // namespace weir::hw::testing
