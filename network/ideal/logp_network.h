#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <systemc>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/ideal_controller.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "hw/random_stream.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/ideal/ideal_network.h"
#include "network/network_parameters.h"

namespace weir::network {

/// The network of the LogP paper (Culler et al. 1993, Section 3): latency L and gap g. At most
/// ceil(L/g) messages are in transit from any node, and to any node. Cores and controllers account
/// for the overhead o.
///
/// A message is in transit from the end of its launch until it is received. It arrives L cycles
/// after its launch. With logp_least_latency_cycles the latency is drawn uniformly between this
/// value and L, in the order of the node's launches. Messages may then overtake one another. A node
/// receives one message every g cycles: the one that arrived first, and among messages of one cycle
/// the one with the lowest sender. The queue of received messages is unbounded.
///
/// In a cycle, after all parts' ticks:
/// - Receives the messages that are due, which ends their transit.
/// - Grants launches whose node has begun none for g cycles, and whose message has room in the
///   capacity of its source and of its destination. Requests are considered in the order of their
///   cycles, and by node number within a cycle. A request that has to wait stalls its node, but
///   delays no other node's request.
///
/// A launch takes the same time on every node. So gaps and transit counts between ends of launches
/// equal those between beginnings of launches. The network applies gap and capacity to the
/// beginnings, and thus decides before each launch begins.
class LogpNetwork final : public sc_core::sc_module,
                          public hw::ClockedPart,
                          public IdealNetwork,
                          public hw::LaunchGate {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter messages{*this, "messages", "Messages received"};
        hw::Counter stalled_launches{*this, "stalled_launches",
                                     "Launches that had to wait for the gap or the capacity"};
        hw::Counter stalled_cycles{*this, "stalled_cycles",
                                   "Cycles that launches waited for the gap or the capacity"};
        hw::Counter reception_wait_cycles{
            *this, "reception_wait_cycles",
            "Cycles that arrived messages waited for the end of the gap "
            "after the previous reception"};
        hw::Counter most_in_transit_from{*this, "most_in_transit_from",
                                         "Largest number of messages in transit from a node"};
        hw::Counter most_in_transit_to{*this, "most_in_transit_to",
                                       "Largest number of messages in transit to a node"};
    };

    /// Connects `nodes` nodes, whatever topology the parameters name.
    LogpNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const NetworkParameters& parameters, std::int64_t nodes, hw::Cycles launch_cycles,
                std::uint64_t seed, hw::MessagePool& messages);

    void request(const Request& request, hw::LaunchRequester& requester) override;
    void withdraw(hw::NodeId node, int port) override;
    /// Accepts a message whose launch begins now.
    void carry(hw::MessageSlot message, hw::Cycles now) override;

    [[nodiscard]] std::int64_t capacity() const { return capacity_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Completes the statistics up to `now`; to be called once, after the run.
    void end_of_run(hw::Cycles now) override;
    void add_to(hw::ConservationAccount& account) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override {
        statistics.push_back({name(), &statistics_});
    }
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;

    void tick(hw::Cycles /*now*/) override { domain().after_ticks(*this); }
    void end_of_cycle(hw::Cycles now) override;

  private:
    struct Waiting {
        hw::Cycles since;
        Request request;
        hw::LaunchRequester* requester;
        bool is_withdrawn = false;
        bool was_looked_at = false;
        hw::MessageId holder;
    };
    struct Source {
        std::int64_t in_transit = 0;
        hw::Cycles next_launch{0};
        hw::RandomStream latencies;
    };
    using Arrival = std::tuple<hw::Cycles, hw::MessageId, hw::MessageSlot>;
    struct Destination {
        std::set<Arrival> arrivals;  // all messages in transit to the node
        hw::Cycles next_reception{0};
    };
    enum class Obstacle : std::uint8_t { kNone, kGap, kFromNode, kToDestination };

    [[nodiscard]] hw::LaunchGate* gate() override { return this; }
    Source& source(hw::NodeId node) { return sources_[node]; }
    Destination& destination(hw::NodeId node) { return destinations_[node]; }
    [[nodiscard]] const Source& source(hw::NodeId node) const { return sources_[node]; }
    [[nodiscard]] const Destination& destination(hw::NodeId node) const {
        return destinations_[node];
    }
    [[nodiscard]] static hw::Cycles reception_of(const Destination& node) {
        return std::max(std::get<hw::Cycles>(*node.arrivals.begin()), node.next_reception);
    }
    void receive_due(hw::Cycles now);
    void receive_first(hw::NodeId node, hw::Cycles now);
    void begin_launches(hw::Cycles now);
    void note_stalled(const Waiting& waiting, hw::Cycles until);
    void sleep_until_needed(hw::Cycles now);
    [[nodiscard]] Obstacle obstacle(const Request& request, hw::Cycles now) const;

    hw::Cycles latency_;
    hw::Cycles least_latency_;
    hw::Cycles gap_;
    std::int64_t capacity_;
    hw::Cycles launch_cycles_;
    hw::PerNode<Source> sources_;
    hw::PerNode<Destination> destinations_;
    std::set<std::pair<hw::Cycles, hw::NodeId>> receptions_;  // next reception of each destination
    std::vector<Waiting> waiting_;  // ungranted requests, in the order in which they are considered
    hw::Cycles next_wake_up_{-1};
    Statistics statistics_;
};

}  // namespace weir::network
