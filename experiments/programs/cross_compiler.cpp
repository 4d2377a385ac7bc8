#include "experiments/programs/cross_compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/files/temporary_folder.h"
#include "firmware/sparcle/compiler_flags.h"
#include "hw/text_streams.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

// Headers of C and POSIX that newlib has and the compiler itself lacks, and Weir's own.
constexpr std::array<std::string_view, 37> kLibraryHeaders{
    "alloca.h",   "assert.h", "complex.h", "ctype.h",  "dirent.h", "envz.h",   "errno.h",
    "fcntl.h",    "fenv.h",   "fnmatch.h", "getopt.h", "glob.h",   "iconv.h",  "inttypes.h",
    "langinfo.h", "libgen.h", "locale.h",  "malloc.h", "math.h",   "memory.h", "mpi.h",
    "paths.h",    "pwd.h",    "regex.h",   "search.h", "setjmp.h", "signal.h", "stdio.h",
    "stdlib.h",   "string.h", "strings.h", "tgmath.h", "time.h",   "unistd.h", "utime.h",
    "wchar.h",    "wctype.h"};

bool is_of_library(std::string_view header) {
    return header.starts_with("sys/") || std::find(kLibraryHeaders.begin(), kLibraryHeaders.end(),
                                                   header) != kLibraryHeaders.end();
}

}  // namespace

int run_tool(std::vector<std::string> command_line, const fs::path& output,
             const std::string& package) {
    std::vector<char*> arguments;
    arguments.reserve(command_line.size() + 1);
    for (std::string& word : command_line) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (!output.empty()) {
        constexpr int kMode = 0644;
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, kMode);
    }
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments.front(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (error == ENOENT) {
        throw running::RunFailure(running::kBadInput,
                                  command_line.front() +
                                      " is not installed; install it with: apt-get install " +
                                      package);
    }
    if (error != 0) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("{} can't be started: {}", command_line.front(), std::strerror(error)));
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

CrossCompiler::CrossCompiler()
    : program_(firmware::kSparcCompiler),
      headers_(answer({"-print-file-name=include"})),
      version_(answer({"--version"})) {}

bool CrossCompiler::knows_cxx() const {
    return fs::path(answer({"-print-prog-name=cc1plus"})).is_absolute();
}

std::string CrossCompiler::answer(const std::vector<std::string>& question) const {
    const setup::TemporaryFolder folder("weir-compile");
    const fs::path file = folder.path() / "answer";
    std::vector<std::string> words{program_};
    words.insert(words.end(), question.begin(), question.end());
    static_cast<void>(run_tool(words, file));
    std::string text = records::text_of_file(file);
    while (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

bool CrossCompiler::asks_for_library(const std::string& source,
                                     const std::vector<std::string>& flags) const {
    // -MG lists a header that does not exist by the name in the source.
    std::vector<std::string> question = flags;
    question.insert(question.end(), {"-w", "-E", "-M", "-MG", source});
    hw::TextReader words(answer(question));
    for (std::string word; words >> word;) {
        std::error_code unknown;
        if (is_of_library(word) && !fs::exists(word, unknown)) {
            return true;
        }
    }
    return false;
}

}  // namespace weir::experiments::programs
