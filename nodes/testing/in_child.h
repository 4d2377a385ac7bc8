#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace weir::nodes::testing {

/// Runs `produce` in a process of its own and returns what it returns: SystemC elaborates one
/// machine a process, and some tests compare several.
inline std::string in_child(const std::function<std::string()>& produce) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        return "no pipe";
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        const std::string text = produce();
        std::size_t written = 0;
        while (written < text.size()) {
            const ssize_t count = write(ends[1], text.data() + written, text.size() - written);
            if (count <= 0) {
                break;
            }
            written += static_cast<std::size_t>(count);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

}  // namespace weir::nodes::testing
