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

/// The network that the parameters describe, for traffic without a machine: the plan of it, with as
/// many lanes into and out of each node as channels have virtual channels.
class TrafficNetwork {
  public:
    /// Of checked parameters. Throws network::PlanFault.
    TrafficNetwork(const network::NetworkParameters& parameters,
                   const network::FaultParameters& faults, std::uint64_t seed = 1);

    [[nodiscard]] const network::Topology& topology() const { return plan_.topology(); }
    [[nodiscard]] const network::Routing& routing() const { return plan_.routing(); }
    [[nodiscard]] const network::Fabric::Design& design() const { return design_; }

    [[nodiscard]] std::size_t copies() const { return copies_; }
    /// Nothing where packets of any length get on.
    [[nodiscard]] std::optional<hw::Flits> longest_packet() const;

    /// Half of uniform traffic crosses the bisection, each half of that one way: the load in flits
    /// a node and cycle that fills it (4/k of a k x k mesh), in all copies.
    [[nodiscard]] double bisection_capacity() const;
    /// The load that fills a node's channels into the network.
    [[nodiscard]] double injection_capacity() const;
    /// What uniform traffic could load it with at most: the less of the two.
    [[nodiscard]] double uniform_capacity() const;

  private:
    network::NetworkPlan plan_;
    network::Fabric::Design design_;
    std::size_t copies_;
};

}  // namespace weir::experiments::kinds
