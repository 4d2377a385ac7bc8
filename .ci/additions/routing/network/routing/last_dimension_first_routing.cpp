#include "network/routing/last_dimension_first_routing.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include "network/topology/lattice.h"

namespace weir::network {

const RoutingKind& last_dimension_first_routing_kind() {
    static const RoutingKind kind{
        "last_dimension_first", "one dimension after the other, the last one first", is_mesh_family,
        [](const Topology& topology, const NetworkParameters& /*parameters*/) {
            std::vector<std::size_t> order(topology.lattice()->extents.size());
            std::iota(order.rbegin(), order.rend(), 0U);
            return dimension_order_routing(topology, order);
        }};
    return kind;
}

}  // namespace weir::network
