#include "experiments/run/traffic_network.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include "network/topology/lattice.h"
#include "network/topology/metrics.h"

namespace weir::experiments::run {

namespace {

std::unique_ptr<network::Routing> routing_of(const network::NetworkParameters& parameters,
                                             const network::Topology& topology) {
    std::vector<std::size_t> order(parameters.extents().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return network::dimension_order_routing(topology, order);
}

}  // namespace

TrafficNetwork::TrafficNetwork(const network::NetworkParameters& parameters)
    : topology_(network::mesh_topology(parameters.extents())),
      routing_(routing_of(parameters, topology_)) {
    design_.buffer = parameters.buffer_flits.value();
    design_.injection_cycles = parameters.injection_cycles.value();
    design_.hop_cycles = parameters.hop_cycles.value();
    design_.ejection_cycles = parameters.ejection_cycles.value();
}

double TrafficNetwork::uniform_capacity() const {
    return 4.0 * static_cast<double>(network::bisection_of(topology_).channels) /
           static_cast<double>(topology_.node_count()) /
           static_cast<double>(design_.router.flit_cycles.count());
}

}  // namespace weir::experiments::run
