#include "experiments/kinds/open_loop/traffic_network.h"

#include <algorithm>

#include "network/topology/metrics.h"

namespace weir::experiments::kinds {

TrafficNetwork::TrafficNetwork(const network::NetworkParameters& parameters,
                               const network::FaultParameters& faults, std::uint64_t seed)
    : plan_(parameters, faults, seed), design_(plan_.design()), copies_(parameters.copies.value()) {
    design_.injection_vcs = plan_.routing().virtual_channels();
    design_.ejection_vcs = plan_.routing().virtual_channels();
}

std::optional<hw::Flits> TrafficNetwork::longest_packet() const {
    return design_.router.switching == network::Switching::kWormhole
               ? std::nullopt
               : std::optional(design_.least_buffer());
}

double TrafficNetwork::bisection_capacity() const {
    return 4.0 * static_cast<double>(network::bisection_of(topology()).channels) /
           static_cast<double>(topology().node_count()) * injection_capacity();
}

double TrafficNetwork::injection_capacity() const {
    return static_cast<double>(copies_) / static_cast<double>(design_.router.flit_cycles.count());
}

double TrafficNetwork::uniform_capacity() const {
    return std::min(bisection_capacity(), injection_capacity());
}

}  // namespace weir::experiments::kinds
