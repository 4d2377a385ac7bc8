#include "experiments/pages/figures/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include "experiments/setup/text/utf8_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::pages {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Ignores SIGPIPE: a gnuplot that ends before it has read its script must not end this program.
class IgnoredBrokenPipe {
  public:
    IgnoredBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    IgnoredBrokenPipe(const IgnoredBrokenPipe&) = delete;
    IgnoredBrokenPipe& operator=(const IgnoredBrokenPipe&) = delete;
    ~IgnoredBrokenPipe() { std::signal(SIGPIPE, before_); }

  private:
    void (*before_)(int);
};

[[noreturn]] void throw_system_error(int error, const char* what) {
    throw std::system_error(error, std::generic_category(), what);
}

/// Starts gnuplot with `input` as its standard input and `messages` as its standard error; returns
/// its process id.
pid_t start_gnuplot(int input, int messages) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::string program = "gnuplot";
    std::string no_settings_of_the_user = "--default-settings";
    const std::array<char*, 3> arguments = {program.data(), no_settings_of_the_user.data(),
                                            nullptr};
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, program.c_str(), &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error == ENOENT) {
        throw GnuplotError(
            "gnuplot is not installed; install it with: apt-get install gnuplot-nox");
    }
    if (error != 0) {
        throw GnuplotError(std::string("gnuplot can't be started: ") + std::strerror(error));
    }
    return process;
}

void write_all(int pipe, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written = write(pipe, text.data() + at, text.size() - at);
        if (written < 0 && errno != EINTR) {
            return;  // gnuplot has ended; its exit status tells the reason
        }
        at += written > 0 ? written : 0;
    }
}

/// Last line of gnuplot's messages, which has the reason.
std::string last_line(std::FILE* messages) {
    std::rewind(messages);
    std::string text;
    std::array<char, 512> part{};
    while (std::fgets(part.data(), part.size(), messages) != nullptr) {
        text += part.data();
    }
    hw::TextReader lines(text);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t^");
        last = first == std::string::npos ? last : line.substr(first);
    }
    return last;
}

}  // namespace

void run_gnuplot(const std::string& script) {
    const std::unique_ptr<std::FILE, CloseFile> messages(std::tmpfile());
    if (!messages) {
        throw_system_error(errno, "a temporary file");
    }
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw_system_error(errno, "pipe");
    }
    const IgnoredBrokenPipe ignored;
    pid_t process = -1;
    try {
        process = start_gnuplot(ends[0], fileno(messages.get()));
    } catch (...) {
        close(ends[0]);
        close(ends[1]);
        throw;
    }
    close(ends[0]);
    write_all(ends[1], script);
    close(ends[1]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            throw_system_error(errno, "waitpid");
        }
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw GnuplotError("gnuplot failed: " + last_line(messages.get()));
    }
}

std::string gnuplot_tic(const std::string& text) {
    std::string tic;
    for (const char letter : text) {
        tic.append(letter == '%' ? 2 : 1, letter);
    }
    return tic;
}

std::string gnuplot_plain(const std::string& text) {
    std::string plain;
    for (const char letter : setup::printable(text)) {
        // A line end would end the text, and the next line of a file's text would be a command.
        if (letter == '\n' || letter == '\t') {
            plain += ' ';
            continue;
        }
        // Inside double quotes a backslash is written twice. A backslash before these characters
        // keeps gnuplot's enhanced text from interpreting them.
        if (std::string_view("_^{}@&~").find(letter) != std::string_view::npos) {
            plain += "\\\\";
        } else if (letter == '"' || letter == '\\' || letter == '`') {
            plain += letter == '`' ? "" : "\\";
        }
        plain += letter == '`' ? '\'' : letter;
    }
    return plain;
}

}  // namespace weir::experiments::pages
