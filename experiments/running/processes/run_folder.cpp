#include "experiments/running/processes/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/running/processes/file_lock.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

namespace {

// Missing folders above `path`, innermost first.
std::vector<fs::path> absent_parents(const fs::path& path) {
    std::vector<fs::path> absent;
    std::error_code error;
    for (fs::path parent = path.parent_path(); !parent.empty() && !fs::exists(parent, error);
         parent = parent.parent_path()) {
        absent.push_back(parent);
    }
    return absent;
}

void remove_empty(const std::vector<fs::path>& folders) {
    std::error_code ignored;
    for (const fs::path& folder : folders) {
        fs::remove(folder, ignored);
    }
}

// Makes the folder. Returns false if its name is taken.
bool make(const fs::path& path, const std::vector<fs::path>& parents) {
    std::error_code error;
    if (fs::exists(path, error)) {
        return false;
    }
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
    }
    const bool made = !error && fs::create_directory(path, error);
    if (error) {
        remove_empty(parents);
        throw setup::UserFault({path.string()}, "the run folder can't be made: " + error.message(),
                               "--out with a new folder in a place that can be written");
    }
    return made;
}

}  // namespace

RunFolder::RunFolder(const std::optional<fs::path>& asked_for, const std::string& name) {
    if (asked_for) {
        path_ = *asked_for;
        if (path_.filename().empty()) {
            path_ = path_.parent_path();
        }
        made_parents_ = absent_parents(path_);
        if (!make(path_, made_parents_)) {
            throw setup::UserFault({path_.string()}, "the run folder exists already",
                                   "--out with the name of a new folder");
        }
        open();
        return;
    }
    const fs::path runs = "runs";
    made_parents_ = absent_parents(runs / name);
    for (int number = 1;; ++number) {
        path_ = runs / fmt::format("{}-{:03}", name, number);
        if (make(path_, made_parents_)) {
            open();
            return;
        }
    }
}

RunFolder::RunFolder(fs::path path) : path_(std::move(path)), keep_(true) {
    open();
    bool is_taken = false;
    try {
        is_taken = file_ < 0 || take_lock(file_, path_);
    } catch (...) {
        close(file_);
        throw;
    }
    if (!is_taken) {
        close(file_);
        throw setup::UserFault({path_.string()}, "another weir run is at work on it",
                               "its end, or a new run");
    }
}

// A new folder is locked at once, since no other process knows it.
void RunFolder::open() {
    file_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    static_cast<void>(flock(file_, LOCK_EX | LOCK_NB));
}

bool RunFolder::is_there() const {
    struct stat opened {};
    struct stat named {};
    return file_ < 0 || (fstat(file_, &opened) == 0 && stat(path_.c_str(), &named) == 0 &&
                         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev);
}

std::unique_ptr<RunFolder> RunFolder::of_before(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) {
        throw setup::UserFault({"--resume " + path.string()}, "there is no such folder",
                               "the folder of a run that was interrupted");
    }
    return std::unique_ptr<RunFolder>(new RunFolder(path));
}

std::unique_ptr<RunFolder> run_folder_for(const RunOptions& options) {
    return options.resume
               ? RunFolder::of_before(*options.folder)
               : std::make_unique<RunFolder>(options.folder, options.file.stem().string());
}

RunFolder::~RunFolder() {
    close(file_);
    if (!keep_) {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
        remove_empty(made_parents_);
    }
}

}  // namespace weir::experiments::running
