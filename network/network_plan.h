#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "network/deadlock_proof.h"
#include "network/fabric/fabric.h"
#include "network/faults/fault_parameters.h"
#include "network/network_parameters.h"
#include "network/plan_fault.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"
#include "network/unloaded_trips.h"

namespace weir::network {

/// The topology that checked parameters name. Throws PlanFault for a graph that can't be used.
[[nodiscard]] Topology make_topology(const NetworkParameters& parameters);
/// The same without the channels that are dead from the start in a run with this seed.
[[nodiscard]] Topology make_topology(const NetworkParameters& parameters,
                                     const FaultParameters& faults, std::uint64_t seed);

/// What a network of routers is to be: its topology, the routing on it, and its routers' design.
/// Where channels are dead from the start they are not in it, and its routing is up and down; where
/// they are drawn it is proved free of deadlock here, for each seed.
class NetworkPlan {
  public:
    /// Of checked parameters. Throws PlanFault.
    explicit NetworkPlan(const NetworkParameters& parameters,
                         const FaultParameters& faults = no_faults(), std::uint64_t seed = 1);
    NetworkPlan(const NetworkPlan&) = delete;
    NetworkPlan& operator=(const NetworkPlan&) = delete;
    ~NetworkPlan() = default;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const Routing& routing() const { return *routing_; }
    [[nodiscard]] const Fabric::Design& design() const { return design_; }

  private:
    Topology topology_;
    std::unique_ptr<Routing> routing_;
    Fabric::Design design_;
};

[[nodiscard]] DeadlockProof prove(const Routing& routing);

/// The unloaded trips on a plan's network, in closed form. To the header's way over the links, each
/// router on it adds routing, both allocations, what its kind takes for a turn and, with store and
/// forward, the rest of the message; each header flit after the first a flit's time. What needs
/// places enough for full rate (buffer_flits more than credit_cycles) counts as contention where
/// there are fewer.
class RoutedTrips {
  public:
    /// Of the longest way: more than a row of kMostTopologyNodes has.
    static constexpr int kMostRouters = std::numeric_limits<std::int16_t>::max();
    static_assert(kMostTopologyNodes <= kMostRouters);

    /// The plan must stay.
    RoutedTrips(const NetworkPlan& plan, const NetworkParameters& parameters);
    /// Throws PlanFault for a way through more than kMostRouters, which graphs alone can have.
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination,
                                       hw::Bytes message);

  private:
    struct Way {
        std::int16_t routers = 0;  // at most one more than there are hops; 0: not yet looked at
        std::int16_t hops = 0;
    };
    struct FollowedWay {
        Way way;
        hw::Cycles link_cycles{0};  ///< turns included
    };
    [[nodiscard]] FollowedWay way_between(std::size_t source, std::size_t destination);
    [[nodiscard]] FollowedWay follow(std::size_t source, std::size_t destination);
    [[nodiscard]] hw::Cycles like_link_cycles(Way way) const;

    const NetworkPlan& plan_;
    ChannelIndex channels_;
    hw::Bytes flit_bytes_;
    hw::Bytes tag_bytes_;
    std::vector<std::vector<Way>> ways_;  // that were followed, of each source to each destination
    std::vector<std::vector<std::int32_t>> more_cycles_;  // of these, where channels differ
    std::vector<RoutedOutput> outputs_;                   // of one place after the other on a way
};

}  // namespace weir::network
