#include "network/traffic/cycle_histogram.h"

namespace weir::network {

std::int64_t CycleHistogram::percentile(double percent) const {
    std::int64_t seen = 0;
    for (const auto& [cycles, count] : counts_) {
        seen += count;
        if (100.0 * static_cast<double>(seen) >= percent * static_cast<double>(count_)) {
            return cycles;
        }
    }
    return largest();
}

}  // namespace weir::network
