#include "experiments/models/logp/algorithms/broadcast.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/algorithms/bulk_synchronous.h"

namespace weir::experiments::models {
namespace {

/// Builds a schedule send by send, each as early as its sender can.
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
    // The next send is by the processor that can send soonest, on a tie by the lowest numbered.
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

double logp_tree_broadcast_cycles(const std::vector<std::vector<std::int32_t>>& children,
                                  double send_interval_cycles, double delivery_cycles) {
    std::vector<double> informed(children.size(), 0.0);
    for (std::size_t node = 0; node < children.size(); ++node) {
        double sent = informed[node];
        for (const std::int32_t child : children[node]) {
            informed.at(child) = sent + delivery_cycles;
            sent += send_interval_cycles;
        }
    }
    return informed.empty() ? 0.0 : *std::max_element(informed.begin(), informed.end());
}

namespace {

class BroadcastModel final : public Model {
  public:
    BroadcastModel()
        : Model("logp-broadcast",
                "Broadcast of one datum by the optimal tree, a binary tree, a binomial tree and "
                "direct sends",
                kLogpPaper + "section 3.3 and Figure 3") {
        declare_logp_machine(*this, machine_);
        declare_bsp_barrier(*this, barrier_);
        output(WEIR_NAMED(schedule_, finish_cycles), "", "Finish time of the optimal broadcast",
               "Section 3.3");
        output([this] { return logp_binary_tree_broadcast(machine_).finish_cycles; },
               "binary_tree_cycles", "",
               "Finish time of a binary tree: each processor sends to two others");
        output([this] { return logp_binomial_broadcast(machine_).finish_cycles; },
               "binomial_tree_cycles", "",
               "Finish time of a binomial tree: informed processors double each round");
        output([this] { return logp_flat_broadcast(machine_).finish_cycles; }, "flat_cycles", "",
               "Finish time if the source sends to all others itself");
        output([this] { return rounds_of_doubling(machine_.processors); }, "pram_steps", "",
               "Number of steps of the broadcast on a PRAM with exclusive reads",
               "Section 6.1: ceil(log2 P)");
        output(bsp_.cycles, "bsp_cycles", "",
               "Time of the broadcast in the BSP model, with the best fan-out", kBspEquation);
        output(bsp_.supersteps, "bsp_supersteps", "",
               "Number of supersteps of the broadcast in the BSP model");
        output(bsp_.fan_out, "bsp_fan_out", "h",
               "Number of messages that a processor sends in a superstep of BSP's broadcast");
    }

  private:
    void evaluate() override {
        schedule_ = logp_optimal_broadcast(machine_);
        bsp_ = bsp_broadcast(bsp_machine_of(machine_, barrier_));
        std::vector<int> sends_of(schedule_.informed_cycles.size(), 0);
        for (const BroadcastSend& send : schedule_.sends) {
            sends_.add_numbers(send.send_cycle, send.from, send.to, send.receive_cycle,
                               send.informed_cycle);
            ++sends_of[static_cast<std::size_t>(send.from)];
        }
        for (std::size_t i = 0; i < sends_of.size(); ++i) {
            processors_.add_numbers(i, schedule_.informed_cycles[i], sends_of[i]);
        }
    }

    LogpMachine machine_;
    BspBarrier barrier_ = BspBarrier::kMessages;
    BroadcastSchedule schedule_;
    BspCost bsp_;
    OutputTable sends_{*this,
                       "sends",
                       "Sends of the optimal broadcast",
                       {{"send_cycle", "start of the sender's overhead"},
                        {"from", "sending processor"},
                        {"to", "receiving processor"},
                        {"receive_cycle", "start of the receiver's overhead"},
                        {"informed_cycle", "end of the reception; the receiver can send"}},
                       "Section 3.3"};
    OutputTable processors_{
        *this,
        "processors",
        "Time at which each processor gets the datum in the optimal broadcast",
        {{"processor", "number of the processor, in the order in which processors get the datum"},
         {"informed_cycle", "end of the reception of the datum"},
         {"sends", "number of processors to which the processor sends"}},
        "Figure 3"};
};

}  // namespace

std::unique_ptr<Model> logp_broadcast_model() { return std::make_unique<BroadcastModel>(); }

}  // namespace weir::experiments::models
