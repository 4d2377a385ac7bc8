#include "experiments/kinds/topologies.h"

#include <algorithm>
#include <tuple>

#include "experiments/kinds/setup.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/topology/metrics.h"

namespace weir::experiments::kinds {

namespace {

network::Topology topology_of_point(const setup::ExperimentFile& file, setup::SelectedRun point,
                                    const network::NetworkParameters& parameters) {
    try {
        return network::make_topology(parameters);
    } catch (const network::PlanFault& fault) {
        throw file.fault_at(fault.fault(), point);
    }
}

}  // namespace

std::vector<network::Topology> topologies_of(const setup::ExperimentFile& file) {
    using Key = std::tuple<const network::TopologyFamily*, std::vector<std::int64_t>, std::int64_t,
                           std::string>;
    std::vector<Key> found;
    std::vector<network::Topology> topologies;
    for (std::size_t point = 0; point < file.points().size(); ++point) {
        const setup::SelectedRun selected(point);
        const auto setup =
            file.names_kernel(selected) ? make_setup(file, selected) : make_machine(file, selected);
        const network::NetworkParameters& parameters = setup->machine.network;
        if (parameters.model.value() != network::NetworkModel::kWormhole) {
            continue;
        }
        const Key key{parameters.topology.value(), parameters.dimensions.value(),
                      parameters.arity.value(), parameters.graph_file.value()};
        if (std::find(found.begin(), found.end(), key) == found.end()) {
            found.push_back(key);
            topologies.push_back(topology_of_point(file, selected, parameters));
        }
    }
    if (topologies.empty()) {
        throw file.fault_at("network.model", setup::SelectedRun(0),
                            "network.model is \"delay\" or \"logp\", a network of given delays "
                            "that has no topology",
                            "network.model = \"wormhole\", or --topology NAME");
    }
    return topologies;
}

std::optional<NetworkReach> network_reach(const Setup& setup) {
    const network::NetworkParameters& parameters = setup.machine.network;
    if (parameters.model.value() != network::NetworkModel::kWormhole) {
        return std::nullopt;
    }
    const network::Topology topology = network::make_topology(parameters);
    return NetworkReach{network::distances_of(topology).mean_to_others,
                        static_cast<double>(network::bisection_of(topology).channels),
                        static_cast<double>(network::hop_channels_of(topology))};
}

std::optional<double> mean_distance_hops(const Setup& setup) {
    const network::NetworkParameters& parameters = setup.machine.network;
    if (parameters.model.value() != network::NetworkModel::kWormhole) {
        return std::nullopt;
    }
    return network::distances_of(network::make_topology(parameters)).mean_with_itself;
}

}  // namespace weir::experiments::kinds
