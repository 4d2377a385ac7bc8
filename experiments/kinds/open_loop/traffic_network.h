#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hw/units.h"
#include "network/fabric/fabric.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"

namespace weir::experiments::kinds {

/// Network for traffic without a machine: the plan that the parameters describe. Each node has as
/// many virtual channels into and out of the network as the channels have.
class TrafficNetwork {
  public:
    /// The parameters must have been checked. Throws network::PlanFault for a network that cannot
    /// be built.
    TrafficNetwork(const network::NetworkParameters& parameters,
                   const network::FaultParameters& faults, std::uint64_t seed = 1);

    [[nodiscard]] const network::Topology& topology() const { return plan_.topology(); }
    [[nodiscard]] const network::Routing& routing() const { return plan_.routing(); }
    [[nodiscard]] const network::Fabric::Design& design() const { return design_; }

    [[nodiscard]] std::size_t copies() const { return copies_; }
    /// Length of the longest packet that can pass a router; empty if there is no limit.
    [[nodiscard]] std::optional<hw::Flits> longest_packet() const;

    /// Load of uniform traffic that fills the bisection, over all copies, in flits per node and
    /// cycle: 4/k for a k x k mesh. Half of uniform traffic crosses the bisection, a quarter in
    /// each direction.
    [[nodiscard]] double bisection_capacity() const;
    /// Load that fills a node's channels into the network, in flits per node and cycle.
    [[nodiscard]] double injection_capacity() const;
    /// Largest load of uniform traffic: the smaller of bisection_capacity() and
    /// injection_capacity().
    [[nodiscard]] double uniform_capacity() const;

  private:
    network::NetworkPlan plan_;
    network::Fabric::Design design_;
    std::size_t copies_;
};

}  // namespace weir::experiments::kinds
