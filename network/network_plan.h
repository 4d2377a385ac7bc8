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
/// the start are left out, and the routing is then up*/down*. If the dead channels are drawn from
/// the seed, the constructor proves deadlock freedom, since it may depend on the seed.
class NetworkPlan {
  public:
    /// The parameters must have passed their checks. Throws PlanFault for a network that can't be
    /// built.
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

/// The contention-free trips on a plan's network, in closed form. A trip takes the links' cycles.
/// Each router on the route adds the cycles of routing, of both allocations and of the turn
/// (RouterTraits). With store-and-forward it also adds those of the flits after the header flit.
/// Each flit of the 8-byte header after the first adds flit_cycles. Waits for credits of buffers
/// that are too small for full rate (buffer_flits at most credit_cycles) count as contention.
class RoutedTrips {
  public:
    /// Largest number of routers on a route; no route through a row of kMostTopologyNodes routers
    /// exceeds it.
    static constexpr int kMostRouters = std::numeric_limits<std::int16_t>::max();
    static_assert(kMostTopologyNodes <= kMostRouters);

    /// `plan` must outlive this object.
    RoutedTrips(const NetworkPlan& plan, const NetworkParameters& parameters);
    /// Trip of a message with this lot. Adaptive routing takes the first allowed output at each
    /// router. Throws PlanFault for a route through more than kMostRouters routers, which only
    /// graphs from files can have.
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination, hw::Bytes message,
                                       int lot = 0);

  private:
    struct Route {
        std::int16_t routers = 0;  // number of routers, at most hops + 1; 0: not yet computed
        std::int16_t hops = 0;
    };
    struct FollowedRoute {
        Route route;
        hw::Cycles link_cycles{0};  ///< cycles of the links and of the routers' turns
    };
    [[nodiscard]] FollowedRoute route_between(std::size_t source, std::size_t destination, int lot);
    [[nodiscard]] FollowedRoute follow(std::size_t source, std::size_t destination, int lot);
    [[nodiscard]] hw::Cycles like_link_cycles(Route route) const;

    const NetworkPlan& plan_;
    ChannelIndex channels_;
    hw::Bytes flit_bytes_;
    hw::Bytes tag_bytes_;
    std::vector<std::vector<Route>> routes_;  // known routes, by source and destination
    // cycles of these routes beyond like_link_cycles(), if channels differ
    std::vector<std::vector<std::int32_t>> more_cycles_;
    // outputs at one router of a route; reused
    std::vector<RoutedOutput> outputs_;
};

}  // namespace weir::network
