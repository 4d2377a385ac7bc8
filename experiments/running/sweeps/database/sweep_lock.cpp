#include "experiments/running/sweeps/database/sweep_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "experiments/running/processes/file_lock.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";

// True if the open file still has this path: the previous owner may have removed it.
bool is_there(int file, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

SweepLock::SweepLock(const fs::path& database) : folder_(database.string() + ".running") {
    file_ = take(database);
    try {
        for (const fs::directory_entry& left : fs::directory_iterator(folder_)) {
            if (left.path().filename() != kLock) {
                fs::remove_all(left.path());
            }
        }
    } catch (...) {
        give_up();
        throw;
    }
}

// Descriptor of the lock.
int SweepLock::take(const fs::path& database) const {
    const fs::path lock = folder_ / kLock;
    while (true) {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (fs::is_symlink(folder_, error)) {
            // Everything in the folder is removed, so it must not be a folder elsewhere.
            throw setup::UserFault({folder_.string()}, "it is a symbolic link",
                                   "a database (--out) beside which Weir can make this folder");
        }
        const int file = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) {
            const int reason = errno;
            rmdir(folder_.c_str());  // removes the folder only if it is empty
            throw setup::UserFault(
                {folder_.string()},
                "can't be made: " +
                    (error ? error.message() : std::generic_category().message(reason)),
                "a database (--out) in a place that can be written");
        }
        bool is_taken = false;
        try {
            is_taken = take_lock(file, lock);
        } catch (...) {
            close(file);
            unlink(lock.c_str());
            rmdir(folder_.c_str());
            throw;
        }
        if (is_taken && is_there(file, lock)) {
            return file;
        }
        close(file);
        if (!is_taken) {
            throw setup::UserFault({database.string()}, "another weir sweep is at work on it",
                                   "its end, or another database (--out)");
        }
    }
}

// Usually the folder holds only the lock, and can be removed without being read.
void SweepLock::give_up() const {
    std::error_code ignored;
    fs::remove(folder_ / kLock, ignored);
    if (!fs::remove(folder_, ignored)) {
        fs::remove_all(folder_, ignored);
    }
    close(file_);
}

SweepLock::~SweepLock() { give_up(); }

}  // namespace weir::experiments::running
