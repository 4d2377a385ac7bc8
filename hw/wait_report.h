#pragma once

#include <string>
#include <vector>

namespace weir::hw {

/// One part that can't go on, whom it waits for, and why; made by the parts when a run has stopped
/// making progress, so that the machine can name the cycle of who waits for whom.
struct Wait {
    std::string who;
    std::string for_whom;
    std::string why;
};

using WaitReport = std::vector<Wait>;

}  // namespace weir::hw
