#include "experiments/kinds/machine_size.h"

#include <stdexcept>
#include <vector>

#include "network/topology/topology_family.h"

namespace weir::experiments::kinds {

namespace {

void give(hw::ParameterBase& parameter, const hw::ParameterValue& value) {
    if (!parameter.set(value)) {
        throw std::logic_error(parameter.name() + " does not take the machine's size");
    }
}

}  // namespace

std::vector<std::int64_t> nearest_to_square(std::int64_t nodes) {
    std::int64_t shorter = 1;
    for (std::int64_t side = 1; side * side <= nodes; ++side) {
        if (nodes % side == 0) {
            shorter = side;
        }
    }
    return {nodes / shorter, shorter};
}

void settle_size(const setup::ExperimentFile& file, setup::SelectedRun run,
                 nodes::MachineConfiguration& machine) {
    network::NetworkParameters& network = machine.network;
    if (!network.topology.value()->reads(network.dimensions.name())) {
        return;  // a graph has its own number of nodes
    }
    const auto nodes_level = file.level_of("machine.nodes", run);
    const auto dimensions_level = file.level_of("network.dimensions", run);
    if (nodes_level > dimensions_level) {
        if (network.node_count() != machine.machine.nodes.value()) {
            give(network.dimensions, nearest_to_square(machine.machine.nodes.value()));
        }
    } else if (dimensions_level > nodes_level) {
        // The check of the machine refuses a number of nodes that is too large.
        static_cast<void>(machine.machine.nodes.set(network.node_count()));
    }
}

}  // namespace weir::experiments::kinds
