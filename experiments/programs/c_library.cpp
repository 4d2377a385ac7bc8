#include "experiments/programs/c_library.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDebianSources = "/usr/src/newlib";

// Lock of the build. The build's child processes inherit the lock, so that after a kill no other
// build begins before they have ended.
class BuildLock {
  public:
    explicit BuildLock(const fs::path& path) {
        constexpr mode_t kMode = 0666;
        file_ = ::open(path.c_str(), O_RDWR | O_CREAT, kMode);  // NOLINT(android-cloexec-open)
        if (file_ < 0) {
            throw setup::SurroundingsFault(path.string(), setup::system_reason(errno));
        }
        if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
            return;
        }
        std::cerr << "weir: waiting for another process that builds the C library\n";
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

fs::path sources_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, absent)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("newlib-") && name.find(".tar.") != std::string::npos) {
            found.push_back(entry.path());
        }
    }
    if (found.empty()) {
        throw running::RunFailure(running::kBadInput,
                                  "the program asks for the C library, whose sources are not in " +
                                      folder.string() +
                                      "; install them with: apt-get install newlib-source");
    }
    return *std::max_element(found.begin(), found.end());
}

}  // namespace

CLibraryRecipe c_library_recipe(const std::string& compiler, const std::string& compiler_version,
                                std::vector<std::string> flags) {
    return {.folder = running::cache_folder(
                "c-library", "the program asks for the C library, which is built there"),
            .sources = kDebianSources,
            .script = running::data_folder() / "firmware" / "sparcle" / "library" / "build.sh",
            .compiler = compiler,
            .compiler_version = compiler_version,
            .flags = std::move(flags)};
}

fs::path built_c_library(const CLibraryRecipe& recipe) {
    const fs::path sources = sources_in(recipe.sources);
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
            "the C library's folder " + recipe.folder.string() + " can't be made", error.message());
    }
    const BuildLock lock(recipe.folder / "lock");
    if (fs::is_directory(library)) {  // another process has built it
        return library;
    }
    std::cerr << fmt::format(
        "weir: building the C library once, about a minute of processor time; it stays in {}\n",
        library.string());
    const fs::path log = library.string() + ".log";
    std::vector<std::string> words{recipe.script.string(), sources.string(), library.string(),
                                   recipe.compiler};
    words.insert(words.end(), recipe.flags.begin(), recipe.flags.end());
    words.insert(words.begin(), "bash");
    if (running::run_tool(words, log, "bash") != 0 || !fs::is_directory(library)) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("the C library is not built; {} says why; building it takes the Debian "
                        "packages make and xz-utils",
                        log.string()));
    }
    fs::remove(log, error);
    return library;
}

}  // namespace weir::experiments::programs
