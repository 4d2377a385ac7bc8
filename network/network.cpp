#include "network/network.h"

#include "network/ideal/delay_network.h"
#include "network/ideal/logp_network.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/worm_network.h"

namespace weir::network {

std::unique_ptr<Network> make_network(const NetworkParameters& parameters,
                                      const NetworkSurroundings& surroundings) {
    constexpr const char* kName = "network";
    hw::ClockDomain& domain = surroundings.domain;
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
    if (parameters.is_plain_mesh() && !surroundings.routes_plain_meshes &&
        !surroundings.faults.any()) {
        if (!parameters.flit_by_flit.value() && WormNetwork::takes(parameters)) {
            return std::make_unique<WormNetwork>(kName, domain, parameters, messages);
        }
        return std::make_unique<MeshNetwork>(kName, domain, parameters, messages);
    }
    return std::make_unique<RoutedNetwork>(kName, domain, parameters, messages, surroundings.faults,
                                           surroundings.seed);
}

}  // namespace weir::network
