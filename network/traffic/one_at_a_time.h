#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/traffic/cycle_histogram.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/packet_network.h"
#include "network/traffic/traffic_record.h"

namespace weir::network {

/// Results for the pairs of nodes at one distance.
struct NodesApart {
    std::int64_t pairs = 0;   ///< number of ordered pairs of different nodes at this distance
    CycleHistogram measured;  ///< packet latencies, until the cycle in which the tail is taken
};

struct OneAtATimeResult {
    TrafficEnd end = TrafficEnd::kDrained;
    std::int64_t cycles = 0;
    /// results by the number of hops on a shortest path
    std::map<std::int32_t, NodesApart> by_hops;
    /// Number of nodes, by the hops of the path from a node to itself.
    std::map<std::int32_t, std::int64_t> to_itself;
    /// number of flit hops, on channels that are hops, divided by the number of flits that arrived
    double mean_hops = 0.0;
    /// mean hops on shortest paths between the packets' pairs of nodes
    double mean_shortest_hops = 0.0;
};

/// Measures the unloaded network: one packet at a time is in it. Node 0 sends to each other node.
/// Distances that node 0 has to no node are measured with the first pair of nodes at this distance.
/// A packet is generated when the previous one has arrived and all its credits are back.
class OneAtATime {
  public:
    /// `domain` and `network` must outlive this object.
    OneAtATime(hw::ClockDomain& domain, PacketNetwork& network, hw::Flits packet_flits);

    /// Sends all packets; to be called once. Throws std::logic_error if flits are lost, duplicated
    /// or misrouted.
    OneAtATimeResult run(const OpenLoop::Limits& limits);

    /// Share of the packets that have arrived.
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
    PacketNetwork& network_;
    hw::Flits packet_flits_;
    hw::Cycles next_{0};  // cycle of the next packet's generation
    PacketTable packets_;
    TrafficRecord record_;
    std::vector<Pair> pairs_;
    OneAtATimeResult result_;
};

}  // namespace weir::network
