#include <algorithm>
#include <utility>

#include "network/routing/o1turn_routing.h"
#include "network/routing/planar_adaptive_routing.h"
#include "network/routing/routing_kind.h"
#include "network/routing/turn_model_routing.h"
#include "network/routing/two_phase_routing.h"
#include "network/routing/ugal_routing.h"
#include "network/topology/fat_tree.h"

namespace weir::network {

namespace {

const RoutingKind& default_routing_kind() {
    static const RoutingKind kind{
        "default",
        "the topology's own: dimension order in grids, e-cube in a hypercube, destination tag in a "
        "butterfly, up*/down* in a fat tree or graph, otherwise minimal",
        [](const TopologyFamily& /*family*/) { return true; },
        own_routing_of_topology,
        {.reads = {"routing_order", "ring_classes", "ring_ties"}}};
    return kind;
}

}  // namespace

const std::vector<const RoutingKind*>& routing_kinds() {
    static const std::vector<const RoutingKind*> all{
        &default_routing_kind(),           //
        &dimension_order_routing_kind(),   //
        &e_cube_routing_kind(),            //
        &up_down_routing_kind(),           //
        &destination_tag_routing_kind(),   //
        &minimal_adaptive_routing_kind(),  //
        &west_first_routing_kind(),        //
        &north_last_routing_kind(),        //
        &negative_first_routing_kind(),    //
        &odd_even_routing_kind(),          //
        &o1turn_routing_kind(),            //
        &valiant_routing_kind(),           //
        &romm_routing_kind(),              //
        &planar_adaptive_routing_kind(),   //
        &random_up_routing_kind(),         //
        &ugal_routing_kind(),              //
    };
    return all;
}

RoutingKind::RoutingKind(std::string name, std::string sentence, Routes routes_family,
                         Make make_routing, RoutingTraits traits)
    : name_(std::move(name)),
      sentence_(std::move(sentence)),
      routes_(routes_family),
      make_(make_routing),
      traits_(std::move(traits)) {}

bool RoutingKind::reads(std::string_view parameter) const {
    return std::find(traits_.reads.begin(), traits_.reads.end(), parameter) != traits_.reads.end();
}

bool RoutingKind::is_topologys_own() const { return make_ == own_routing_of_topology; }

ChannelClasses RoutingKind::channel_classes(const TopologyFamily& family) const {
    if (is_topologys_own()) {
        return family.channel_classes();
    }
    return traits_.channel_classes == nullptr ? ChannelClasses{} : traits_.channel_classes(family);
}

std::unique_ptr<Routing> own_routing_of_topology(const Topology& topology,
                                                 const NetworkParameters& parameters) {
    return topology.family().default_routing(topology, parameters);
}

}  // namespace weir::network
