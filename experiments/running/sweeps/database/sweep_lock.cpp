#include "experiments/running/sweeps/database/sweep_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";

// Whether the file is still what its name stands for: the one before may have removed it.
bool is_there(int file, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

SweepLock::SweepLock(const fs::path& database) : folder_(database.string() + ".running") {
    std::error_code error;
    fs::create_directories(folder_, error);
    const fs::path lock = folder_ / kLock;
    file_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) {
        throw setup::UserFault(
            {folder_.string()},
            "can't be made: " + (error ? error.message() : std::generic_category().message(errno)),
            "a database (--out) in a place that can be written");
    }
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 || !is_there(file_, lock)) {
        close(file_);
        throw setup::UserFault({database.string()}, "another weir sweep is at work on it",
                               "its end, or another database (--out)");
    }
    for (const fs::directory_entry& left : fs::directory_iterator(folder_)) {
        if (left.path().filename() != kLock) {
            fs::remove_all(left.path());
        }
    }
}

SweepLock::~SweepLock() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    close(file_);
}

}  // namespace weir::experiments::running
