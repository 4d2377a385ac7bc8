#include "experiments/programs/built_library.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

// Lock of the build. The build's child processes inherit the lock, so that after a kill no other
// build begins before they have ended.
class BuildLock {
  public:
    BuildLock(const fs::path& path, const std::string& library) {
        constexpr mode_t kMode = 0666;
        file_ = ::open(path.c_str(), O_RDWR | O_CREAT, kMode);  // NOLINT(android-cloexec-open)
        if (file_ < 0) {
            throw setup::SurroundingsFault(path.string(), setup::system_reason(errno));
        }
        if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
            return;
        }
        if (errno != EWOULDBLOCK) {
            throw setup::SurroundingsFault(path.string() + ": its file system has no locks",
                                           setup::system_reason(errno));
        }
        std::cerr << "weir: waiting for another process that builds the " << library << '\n';
        while (::flock(file_, LOCK_EX) != 0) {
            if (errno != EINTR) {
                throw setup::SurroundingsFault(path.string(), setup::system_reason(errno));
            }
        }
    }
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;
    ~BuildLock() { ::close(file_); }

  private:
    int file_ = -1;
};

fs::path sources_of(const LibraryRecipe& recipe) {
    std::vector<fs::path> found;
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(recipe.sources, absent)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(recipe.archive) && name.find(".tar.") != std::string::npos) {
            found.push_back(entry.path());
        }
    }
    if (found.empty()) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("the program asks for the {}, whose sources are not in {}; install them "
                        "with: apt-get install {}",
                        recipe.name, recipe.sources.string(), recipe.package));
    }
    return *std::max_element(found.begin(), found.end());
}

}  // namespace

fs::path built_library(const LibraryRecipe& recipe) {
    const fs::path sources = sources_of(recipe);
    running::FactDigest facts;
    facts.add(running::file_digest(sources));
    facts.add(running::file_digest(recipe.script));
    facts.add(recipe.compiler_version);
    std::for_each(recipe.flags.begin(), recipe.flags.end(),
                  [&](const std::string& flag) { facts.add(flag); });
    constexpr std::size_t kDigits = 16;
    fs::path library = recipe.folder / facts.hex().substr(0, kDigits);
    if (fs::is_directory(library)) {
        return library;
    }

    std::error_code error;
    fs::create_directories(recipe.folder, error);
    if (error) {
        throw setup::SurroundingsFault(
            fmt::format("the {}'s folder {} can't be made", recipe.name, recipe.folder.string()),
            error.message());
    }
    const BuildLock lock(recipe.folder / "lock", recipe.name);
    if (fs::is_directory(library)) {  // another process has built it
        return library;
    }
    std::cerr << fmt::format(
        "weir: building the {} once, about {} of processor time; it stays in {}\n", recipe.name,
        recipe.processor_time, library.string());
    const fs::path log = library.string() + ".log";
    std::vector<std::string> words{recipe.script.string(), sources.string(), library.string(),
                                   recipe.compiler};
    words.insert(words.end(), recipe.flags.begin(), recipe.flags.end());
    words.insert(words.begin(), "bash");
    if (running::run_tool(words, log, "bash") != 0 || !fs::is_directory(library)) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("the {} is not built; {} says why; building it takes the Debian packages "
                        "make and xz-utils",
                        recipe.name, log.string()));
    }
    fs::remove(log, error);
    return library;
}

}  // namespace weir::experiments::programs
