#include "experiments/running/processes/file_lock.h"

#include <sys/file.h>

#include <chrono>
#include <thread>

namespace weir::experiments::running {

bool take_lock(int file) {
    constexpr std::chrono::seconds kMostWait{3};
    constexpr std::chrono::milliseconds kBetweenTries{20};
    const auto deadline = std::chrono::steady_clock::now() + kMostWait;
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
    return true;
}

}  // namespace weir::experiments::running
