#include "network/network.h"

#include "network/ideal/delay_network.h"
#include "network/ideal/logp_network.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/worm_network.h"

namespace weir::network {

bool runs_in_tiles(const NetworkParameters& parameters, const FaultParameters& faults,
                   bool routes_plain_meshes) {
    return parameters.model.value() == NetworkModel::kWormhole && parameters.is_plain_mesh() &&
           !routes_plain_meshes && !faults.any() && !parameters.flit_by_flit.value() &&
           WormNetwork::takes(parameters);
}

std::unique_ptr<Network> make_network(const NetworkParameters& parameters,
                                      const NetworkSurroundings& surroundings) {
    constexpr const char* kName = "network";
    hw::ClockDomain& domain = surroundings.clock.first();
    hw::MessagePool& messages = surroundings.messages;
    switch (parameters.model.value()) {
        case NetworkModel::kDelay:
            return std::make_unique<DelayNetwork>(parameters, messages);
        case NetworkModel::kLogp:
            return std::make_unique<LogpNetwork>(kName, domain, parameters, surroundings.nodes,
                                                 surroundings.launch_cycles, surroundings.seed,
                                                 messages);
        case NetworkModel::kWormhole:
            break;
    }
    const bool routes_plain_meshes = surroundings.routes_plain_meshes;
    if (runs_in_tiles(parameters, surroundings.faults, routes_plain_meshes)) {
        return std::make_unique<WormNetwork>(kName, surroundings.clock, parameters, messages);
    }
    if (parameters.is_plain_mesh() && !routes_plain_meshes && !surroundings.faults.any()) {
        return std::make_unique<MeshNetwork>(kName, domain, parameters, messages);
    }
    return std::make_unique<RoutedNetwork>(kName, domain, parameters, messages, surroundings.faults,
                                           surroundings.seed);
}

}  // namespace weir::network
