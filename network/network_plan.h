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

/// Topology of the parameters, which must have passed their checks. Throws PlanFault for an
/// unusable graph.
[[nodiscard]] Topology make_topology(const NetworkParameters& parameters);
/// The same topology without the channels that are dead from the start in a run with this seed.
[[nodiscard]] Topology make_topology(const NetworkParameters& parameters,
                                     const FaultParameters& faults, std::uint64_t seed);

/// Plan of a network of routers: topology, routing and router design. Channels that are dead from
/// the start are left out, and the routing is then up*/down*. If they are drawn from the seed,
/// deadlock freedom is proved here, for each seed.
class NetworkPlan {
  public:
    /// The parameters must have passed their checks. Throws PlanFault.
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

/// The contention-free trips on a plan's network, in closed form. The header takes the links'
/// cycles. Each router on the route adds routing, both allocations, the turn of its kind and, with
/// store-and-forward, the rest of the message. Each header flit after the first adds a flit's time.
/// Waits for credits of buffers that are too small for full rate (buffer_flits at most
/// credit_cycles) count as contention.
class RoutedTrips {
  public:
    /// Longest route, longer than any in a row of kMostTopologyNodes.
    static constexpr int kMostRouters = std::numeric_limits<std::int16_t>::max();
    static_assert(kMostTopologyNodes <= kMostRouters);

    /// `plan` must outlive this object.
    RoutedTrips(const NetworkPlan& plan, const NetworkParameters& parameters);
    /// Throws PlanFault for a route through more than kMostRouters, which only graphs from files
    /// can have.
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination,
                                       hw::Bytes message);

  private:
    struct Route {
        std::int16_t routers = 0;  // at most one more than hops; 0: not yet computed
        std::int16_t hops = 0;
    };
    struct FollowedRoute {
        Route route;
        hw::Cycles link_cycles{0};  ///< turns included
    };
    [[nodiscard]] FollowedRoute route_between(std::size_t source, std::size_t destination);
    [[nodiscard]] FollowedRoute follow(std::size_t source, std::size_t destination);
    [[nodiscard]] hw::Cycles like_link_cycles(Route route) const;

    const NetworkPlan& plan_;
    ChannelIndex channels_;
    hw::Bytes flit_bytes_;
    hw::Bytes tag_bytes_;
    std::vector<std::vector<Route>> routes_;              // known routes, by source and destination
    std::vector<std::vector<std::int32_t>> more_cycles_;  // for the same routes, if channels differ
    std::vector<RoutedOutput> outputs_;                   // at one place of a route
};

}  // namespace weir::network
