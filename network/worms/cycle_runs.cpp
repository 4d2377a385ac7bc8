#include "network/worms/cycle_runs.h"

#include <algorithm>

namespace weir::network {

CycleRuns::Flits CycleRuns::older_flits_from(std::int64_t number) const {
    std::int64_t end = newest_.begin;
    for (std::size_t i = older_.size(); i-- > 0;) {
        const Run& run = older_[i];
        if (run.begin <= number) {
            return {hw::Cycles(number + run.offset), end - number};
        }
        end = run.begin;
    }
    return {hw::Cycles(kLongAgo), end - number};
}

// Moves the newest run to the older runs, since a new one begins. Forgets older runs that are not
// needed.
void CycleRuns::keep_newest(std::int64_t needed, hw::Cycles now) {
    older_.push_back(newest_);
    while (older_.size() > 1) {
        const std::int64_t end = older_[1].begin;
        const hw::Cycles last(end - 1 + older_.front().offset);
        if (end > needed || last >= now) {
            return;
        }
        older_.pop_front();
    }
}

std::int64_t CycleRuns::count_through(hw::Cycles cycle) const {
    std::int64_t end = count_;
    Run run = newest_;
    for (std::size_t i = older_.size(); run.begin + run.offset > cycle.count(); run = older_[--i]) {
        end = run.begin;
        if (i == 0) {
            return end;  // flits before the first run that is kept have passed
        }
    }
    return std::min(end, cycle.count() - run.offset + 1);
}

}  // namespace weir::network
