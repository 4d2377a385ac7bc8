#include "network/worms/cycle_runs.h"

#include <algorithm>
#include <utility>

namespace weir::network {

std::int64_t CycleRuns::count_through(hw::Cycles cycle) const {
    std::int64_t end = count_;
    Run run = newest_;
    for (std::uint32_t i = end_; run.begin + run.offset > cycle.count();
         run = older_[--i & mask_]) {
        end = run.begin;
        if (i == begin_) {
            return end;  // those before the first run that is kept have passed
        }
    }
    return std::min(end, cycle.count() - run.offset + 1);
}

void CycleRuns::grow() {
    const std::uint32_t mask = 2 * mask_ + 1;
    std::vector<Run> larger(std::size_t{mask} + 1);
    for (std::uint32_t i = begin_; i != end_; ++i) {
        larger[i & mask] = older_[i & mask_];
    }
    far_ = std::move(larger);
    older_ = far_.data();
    mask_ = mask;
}

}  // namespace weir::network
