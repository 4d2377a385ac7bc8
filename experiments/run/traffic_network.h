#pragma once

#include <memory>

#include "network/fabric.h"
#include "network/network_parameters.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"

namespace weir::experiments::run {

/// The network that the parameters describe, for traffic without a machine: topology, routing, and
/// how its routers and channels are made.
class TrafficNetwork {
  public:
    explicit TrafficNetwork(const network::NetworkParameters& parameters);

    [[nodiscard]] const network::Topology& topology() const { return topology_; }
    [[nodiscard]] const network::Routing& routing() const { return *routing_; }
    [[nodiscard]] const network::Fabric::Design& design() const { return design_; }

    /// What uniform traffic could load it with at most, in flits a node and cycle: half of it
    /// crosses the bisection, each half of that one way (4/k of a k x k mesh).
    [[nodiscard]] double uniform_capacity() const;

  private:
    network::Topology topology_;
    std::unique_ptr<network::Routing> routing_;
    network::Fabric::Design design_;
};

}  // namespace weir::experiments::run
