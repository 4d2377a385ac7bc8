#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/fabric.h"
#include "network/traffic/cycle_histogram.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/traffic_endpoint.h"
#include "network/traffic/traffic_record.h"

namespace weir::network {

/// What is between nodes of one distance.
struct NodesApart {
    std::int64_t pairs = 0;  ///< ordered ones of different nodes with this distance, all counted
    CycleHistogram
        measured;  ///< the packets' latencies: until the cycle in which the tail is taken
};

struct OneAtATimeResult {
    TrafficEnd end = TrafficEnd::kDrained;
    std::int64_t cycles = 0;
    std::map<std::int32_t, NodesApart> by_hops;  ///< of a shortest way
    std::map<std::int32_t, std::int64_t>
        to_itself;                    ///< nodes, by the hops of the way to themselves
    double mean_hops = 0.0;           ///< flits over channels that are hops, by flits that arrived
    double mean_shortest_hops = 0.0;  ///< of the packets' pairs; the same where routes are shortest
};

/// The unloaded network, measured: one packet at a time is alone in it. Node 0 sends to each other
/// node; at distances that it has none at, the first pair of nodes that has one. A packet is
/// generated when the one before has arrived and all its credits are back.
class OneAtATime {
  public:
    /// All must stay.
    OneAtATime(hw::ClockDomain& domain, Fabric& fabric, hw::Flits packet_flits);

    /// Once. Throws std::logic_error when flits are lost, made or sent astray.
    OneAtATimeResult run(const OpenLoop::Limits& limits);

    /// The share of the packets that have arrived.
    [[nodiscard]] double progress() const;
    [[nodiscard]] std::size_t packets_in_network() const { return packets_.in_use(); }
    [[nodiscard]] hw::WaitReport waits() const;

  private:
    struct Pair {
        std::size_t source = 0;
        std::size_t destination = 0;
        std::int32_t hops = 0;
    };
    void choose_pairs();
    [[nodiscard]] bool send(const Pair& pair, const OpenLoop::Limits& limits);
    void require_conservation() const;

    hw::ClockDomain& domain_;
    Fabric& fabric_;
    hw::Flits packet_flits_;
    hw::Cycles next_{0};  // in which the next packet is generated
    PacketTable packets_;
    TrafficRecord record_;
    std::vector<std::unique_ptr<TrafficEndpoint>> endpoints_;
    std::vector<Pair> pairs_;
    OneAtATimeResult result_;
};

}  // namespace weir::network
