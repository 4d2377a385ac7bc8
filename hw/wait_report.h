#pragma once

#include <string>
#include <vector>

namespace weir::hw {

/// A part that can't go on, the part that it waits for, and the reason. Parts report it when a run
/// makes no progress, so that the machine can name the cycle of waiting parts.
struct Wait {
    std::string who;
    std::string for_whom;
    std::string why;
};

using WaitReport = std::vector<Wait>;

}  // namespace weir::hw
