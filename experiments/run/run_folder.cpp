#include "experiments/run/run_folder.h"

#include <fmt/format.h>

#include "experiments/config/user_fault.h"

namespace weir::experiments::run {

namespace fs = std::filesystem;

namespace {

// Whether this call made the folder; false when something of that name was there.
bool make(const fs::path& path) {
    std::error_code error;
    if (fs::exists(path, error)) {
        return false;
    }
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
    }
    const bool made = !error && fs::create_directory(path, error);
    if (error) {
        throw config::UserFault({path.string()}, "the run folder can't be made: " + error.message(),
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
        if (!make(path_)) {
            throw config::UserFault({path_.string()}, "the run folder exists already",
                                    "--out with the name of a new folder");
        }
        return;
    }
    for (int number = 1;; ++number) {
        path_ = fs::path("runs") / fmt::format("{}-{:03}", name, number);
        if (make(path_)) {
            return;
        }
    }
}

RunFolder::~RunFolder() {
    if (!keep_) {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
        if (path_.parent_path() == "runs") {
            fs::remove("runs", ignored);  // only when nothing else is in it
        }
    }
}

}  // namespace weir::experiments::run
