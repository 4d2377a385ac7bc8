#include "experiments/debug/stepping/resumed_runs.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "experiments/debug/stepping/open_files.h"
#include "nodes/machine.h"

namespace weir::experiments::debug {

// Waits for the process. A request to end is passed on to it.
int ResumedRuns::status_of(int process) const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
        if (calls_.is_interrupted()) {
            ::kill(process, SIGTERM);
        }
    }
    return status;
}

bool ResumedRuns::stopped(nodes::Machine& machine) {
    if (index_ || machine.now() < cycle_) {
        return true;
    }
    const OpenFiles files = OpenFiles::in(folder_);
    for (std::size_t index = 0; index < count_ && !calls_.is_interrupted(); ++index) {
        std::fflush(nullptr);
        const pid_t process = ::fork();
        if (process < 0) {
            throw std::system_error(errno, std::generic_category(), "a process for a run");
        }
        if (process == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            index_ = index;
            machine.renew_faults(calls_.change(index));
            return true;
        }
        calls_.ended(index, status_of(process));
        files.restore();
    }
    throw AllEnded();
}

}  // namespace weir::experiments::debug
