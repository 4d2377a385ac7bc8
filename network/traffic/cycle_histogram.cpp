#include "network/traffic/cycle_histogram.h"

#include <algorithm>

namespace weir::network {

void CycleHistogram::add_beyond(std::int64_t cycles) {
    if (cycles >= kLow) {
        ++high_[cycles];
        return;
    }
    low_.resize(std::min(std::max(2 * cycles, std::int64_t{64}), kLow));
    ++low_[cycles];
}

std::int64_t CycleHistogram::percentile(double percent) const {
    std::int64_t seen = 0;
    const auto is_reached = [&](std::int64_t count) {
        seen += count;
        return 100.0 * static_cast<double>(seen) >= percent * static_cast<double>(count_);
    };
    for (std::size_t cycles = 0; cycles < low_.size(); ++cycles) {
        if (low_[cycles] > 0 && is_reached(low_[cycles])) {
            return static_cast<std::int64_t>(cycles);
        }
    }
    for (const auto& [cycles, count] : high_) {
        if (is_reached(count)) {
            return cycles;
        }
    }
    return largest();
}

std::int64_t CycleHistogram::largest() const {
    if (!high_.empty()) {
        return high_.rbegin()->first;
    }
    const auto last =
        std::find_if(low_.rbegin(), low_.rend(), [](auto count) { return count > 0; });
    return low_.rend() - last - 1;
}

std::int64_t CycleHistogram::least() const {
    const auto first = std::find_if(low_.begin(), low_.end(), [](auto count) { return count > 0; });
    return first != low_.end() ? first - low_.begin() : high_.begin()->first;
}

}  // namespace weir::network
