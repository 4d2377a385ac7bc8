#include "experiments/models/logp/algorithms/broadcast.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace weir::experiments::models {
namespace {

/// Builds a schedule send by send: each as early as its sender can.
class Broadcast {
  public:
    explicit Broadcast(const LogpMachine& machine)
        : machine_(machine), next_send_(static_cast<std::size_t>(machine.processors), 0.0) {
        schedule_.informed_cycles.assign(next_send_.size(), 0.0);
        schedule_.sends.reserve(next_send_.size() - 1);
    }

    [[nodiscard]] double next_send(int processor) const {
        return next_send_[static_cast<std::size_t>(processor)];
    }

    void send(int from, int to) {
        const double start = next_send(from);
        const double informed = start + logp_delivery_cycles(machine_);
        schedule_.sends.push_back({from, to, start,
                                   start + machine_.overhead_cycles + machine_.latency_cycles,
                                   informed});
        next_send_[static_cast<std::size_t>(from)] = start + logp_send_interval_cycles(machine_);
        next_send_[static_cast<std::size_t>(to)] = informed;
        schedule_.informed_cycles[static_cast<std::size_t>(to)] = informed;
        schedule_.finish_cycles = std::max(schedule_.finish_cycles, informed);
    }

    BroadcastSchedule take() { return std::move(schedule_); }

  private:
    LogpMachine machine_;
    std::vector<double> next_send_;
    BroadcastSchedule schedule_;
};

}  // namespace

BroadcastSchedule logp_optimal_broadcast(const LogpMachine& machine) {
    require_logp_machine(machine);
    Broadcast broadcast(machine);
    // The processor that can send soonest informs the next one; of several, the longest informed.
    using Sender = std::pair<double, int>;
    std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders;
    senders.emplace(0.0, 0);
    for (int to = 1; to < machine.processors; ++to) {
        const int from = senders.top().second;
        senders.pop();
        broadcast.send(from, to);
        senders.emplace(broadcast.next_send(from), from);
        senders.emplace(broadcast.next_send(to), to);
    }
    return broadcast.take();
}

BroadcastSchedule logp_binary_tree_broadcast(const LogpMachine& machine) {
    require_logp_machine(machine);
    Broadcast broadcast(machine);
    for (int to = 1; to < machine.processors; ++to) {
        broadcast.send((to - 1) / 2, to);
    }
    return broadcast.take();
}

BroadcastSchedule logp_flat_broadcast(const LogpMachine& machine) {
    require_logp_machine(machine);
    Broadcast broadcast(machine);
    for (int to = 1; to < machine.processors; ++to) {
        broadcast.send(0, to);
    }
    return broadcast.take();
}

BroadcastSchedule logp_binomial_broadcast(const LogpMachine& machine) {
    require_logp_machine(machine);
    Broadcast broadcast(machine);
    for (int distance = 1; distance < machine.processors; distance *= 2) {
        for (int to = distance; to < std::min(2 * distance, machine.processors); ++to) {
            broadcast.send(to - distance, to);
        }
    }
    return broadcast.take();
}

}  // namespace weir::experiments::models
