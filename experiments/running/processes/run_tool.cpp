#include "experiments/running/processes/run_tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

int run_tool(std::vector<std::string> command_line, const fs::path& output,
             const std::string& package, const fs::path& errors) {
    std::vector<char*> arguments;
    arguments.reserve(command_line.size() + 1);
    for (std::string& word : command_line) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const auto& [number, file] :
         {std::pair(STDOUT_FILENO, &output), std::pair(STDERR_FILENO, &errors)}) {
        if (!file->empty()) {
            constexpr int kMode = 0644;
            posix_spawn_file_actions_addopen(&files, number, file->c_str(),
                                             O_WRONLY | O_CREAT | O_TRUNC, kMode);
        }
    }
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments.front(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (error == ENOENT) {
        throw RunFailure(kBadInput, command_line.front() +
                                        " is not installed; install it with: apt-get install " +
                                        package);
    }
    if (error != 0) {
        throw RunFailure(kBadInput, fmt::format("{} can't be started: {}", command_line.front(),
                                                std::strerror(error)));
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

fs::path cache_folder(const std::string& name, const std::string& use) {
    const fs::path data = data_folder();
    if (data == fs::path(setup::kSourceFolder)) {
        return data / "build" / name;
    }
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (cache != nullptr && fs::path(cache).is_absolute()) {
        return fs::path(cache) / "weir" / name;
    }
    if (home != nullptr && fs::path(home).is_absolute()) {
        return fs::path(home) / ".cache" / "weir" / name;
    }
    throw setup::UserFault({"HOME"}, "it is not set, and " + use,
                           "HOME or XDG_CACHE_HOME with the path of a folder");
}

}  // namespace weir::experiments::running
