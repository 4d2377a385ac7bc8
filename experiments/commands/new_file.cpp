#include "experiments/commands/new_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
    const fs::file_status status = fs::status(path_, ignored);
    if (fs::is_directory(status)) {
        throw cannot_be_written(option_, EISDIR);
    }
    // Renaming would replace a device, a pipe or a symbolic link by a file.
    is_device_ = fs::exists(status) && !fs::is_regular_file(status);
    if (fs::is_symlink(path_, ignored) && fs::is_regular_file(status)) {
        path_ = fs::canonical(path_, ignored).string();
    }
    const fs::path place(path_);
    const fs::path folder = is_device_ ? fs::temp_directory_path() : place.parent_path();
    unfinished_path_ = (folder / ("." + place.filename().string() + ".XXXXXX")).string();
    const int file = mkstemp(unfinished_path_.data());
    if (file < 0) {
        throw cannot_be_written(option_, errno);
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(file, 0666 & ~mask);  // mkstemp gives rights to the owner only
    close(file);
}

void NewFile::copy_into_device() {
    std::ifstream in(unfinished_path_, std::ios::binary);
    std::ofstream out(path_, std::ios::binary | std::ios::app);
    if (in.peek() != std::ifstream::traits_type::eof()) {
        out << in.rdbuf();
    }
    out.close();
    if (!out) {
        throw cannot_be_written(option_, errno);
    }
}

NewFile::~NewFile() {
    if (!is_finished_) {
        unlink(unfinished_path_.c_str());
    }
}

void NewFile::finish() {
    if (is_device_) {
        copy_into_device();
        return;
    }
    if (std::rename(unfinished_path_.c_str(), path_.c_str()) != 0) {
        throw cannot_be_written(option_, errno);
    }
    is_finished_ = true;
}

}  // namespace weir::experiments::commands
