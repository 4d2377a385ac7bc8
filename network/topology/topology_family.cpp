#include "network/topology/topology_family.h"

#include <algorithm>
#include <utility>

#include "network/topology/butterfly.h"
#include "network/topology/dragonfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"
#include "network/topology/router_grid.h"
#include "network/topology/slim_fly.h"

namespace weir::network {

const std::vector<const TopologyFamily*>& topology_families() {
    static const std::vector<const TopologyFamily*> all{
        &mesh_family(),                 //
        &torus_family(),                //
        &hypercube_family(),            //
        &butterfly_family(),            //
        &fat_tree_family(),             //
        &dragonfly_family(),            //
        &concentrated_mesh_family(),    //
        &flattened_butterfly_family(),  //
        &hyperx_family(),               //
        &slim_fly_family(),             //
        &graph_family(),                //
    };
    return all;
}

TopologyFamily::TopologyFamily(std::string name, std::string sentence,
                               std::vector<std::string> reads)
    : name_(std::move(name)), sentence_(std::move(sentence)), reads_(std::move(reads)) {}

bool TopologyFamily::reads(std::string_view parameter) const {
    return std::find(reads_.begin(), reads_.end(), parameter) != reads_.end();
}

std::optional<hw::ParameterGroup::Fault> TopologyFamily::fault(
    const NetworkParameters& /*parameters*/) const {
    return std::nullopt;
}

std::optional<Lattice> TopologyFamily::lattice(const NetworkParameters& /*parameters*/) const {
    return std::nullopt;
}

std::unique_ptr<Routing> TopologyFamily::up_down_by_place(const Topology& /*topology*/) const {
    return nullptr;
}

std::optional<std::vector<std::int32_t>> TopologyFamily::depths(
    const Topology& /*topology*/) const {
    return std::nullopt;
}

std::optional<DistanceFormula> TopologyFamily::distance_formula(
    const Topology& /*topology*/) const {
    return std::nullopt;
}

Layout TopologyFamily::layout(const Topology& topology) const { return circle_layout(topology); }

std::string topologies_that(const std::function<bool(const TopologyFamily&)>& holds) {
    std::vector<std::string> names;
    for (const TopologyFamily* family : topology_families()) {
        if (holds(*family)) {
            names.push_back(family->name());
        }
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace weir::network
