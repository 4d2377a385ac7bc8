#include "experiments/running/processes/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::running {

bool take_lock(int file, const std::filesystem::path& path) {
    constexpr std::chrono::seconds kMostWait{3};
    constexpr std::chrono::milliseconds kBetweenTries{20};
    const auto deadline = std::chrono::steady_clock::now() + kMostWait;
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            throw setup::SurroundingsFault(path.string() + ": its file system has no locks",
                                           setup::system_reason(errno));
        }
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
    return true;
}

}  // namespace weir::experiments::running
