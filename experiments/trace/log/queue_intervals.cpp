#include "experiments/trace/log/queue_intervals.h"

#include <algorithm>

namespace weir::experiments::trace {

void QueueIntervals::add_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle,
                               hw::Bytes bytes) {
    const std::size_t number =
        2 * static_cast<std::size_t>(node.index()) + static_cast<std::size_t>(queue);
    pass_until(number, cycle);
    queues_[number].level = bytes;
}

void QueueIntervals::end(hw::Cycles cycle) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        pass_until(i, cycle);
        const hw::Cycles within(queues_[i].since.count() % interval_.count());
        end_interval(i, queues_[i].since - within);
    }
}

void QueueIntervals::pass_until(std::size_t number, hw::Cycles cycle) {
    Queue& queue = queues_[number];
    if (queue.level == hw::Bytes(0) && queue.byte_cycles == 0) {
        queue.since = std::max(queue.since, cycle);
    }
    while (queue.since < cycle) {
        const hw::Cycles begin(queue.since.count() / interval_.count() * interval_.count());
        const hw::Cycles until = std::min(cycle, begin + interval_);
        queue.byte_cycles += queue.level.count() * (until - queue.since).count();
        queue.most = std::max(queue.most, queue.level);
        queue.since = until;
        if (until == begin + interval_) {
            end_interval(number, begin);
        }
    }
}

// Which ends where the queue's levels have been passed to.
void QueueIntervals::end_interval(std::size_t number, hw::Cycles begin) {
    Queue& queue = queues_[number];
    if (queue.byte_cycles > 0) {
        ended_.push_back({hw::NodeId(static_cast<std::int32_t>(number / 2)),
                          static_cast<hw::QueueKind>(number % 2), begin, queue.since,
                          queue.byte_cycles, queue.most});
    }
    queue.byte_cycles = 0;
    queue.most = hw::Bytes(0);
}

}  // namespace weir::experiments::trace
