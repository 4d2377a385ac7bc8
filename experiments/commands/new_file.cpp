#include "experiments/commands/new_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

setup::UserFault cannot_be_written(const std::string& option, int error) {
    return {{option},
            "the file can't be written: " + std::generic_category().message(error),
            "a file in an existing folder that can be written"};
}

}  // namespace

NewFile::NewFile(std::string path, std::string option)
    : path_(std::move(path)), option_(std::move(option)) {
    std::error_code ignored;
    if (fs::is_directory(path_, ignored)) {
        throw cannot_be_written(option_, EISDIR);
    }
    const fs::path place(path_);
    unfinished_path_ =
        (place.parent_path() / ("." + place.filename().string() + ".XXXXXX")).string();
    const int file = mkstemp(unfinished_path_.data());
    if (file < 0) {
        throw cannot_be_written(option_, errno);
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(file, 0666 & ~mask);  // mkstemp gives rights to the owner only
    close(file);
}

NewFile::~NewFile() {
    if (!is_finished_) {
        unlink(unfinished_path_.c_str());
    }
}

void NewFile::finish() {
    if (std::rename(unfinished_path_.c_str(), path_.c_str()) != 0) {
        throw cannot_be_written(option_, errno);
    }
    is_finished_ = true;
}

}  // namespace weir::experiments::commands
