#include "network/topology/mesh.h"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/visitors.hpp>
#include <numeric>

#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

namespace weir::network {

Mesh::Mesh(std::vector<std::int32_t> extents) : extents_(std::move(extents)) {
    add_lattice_routers(extents_, false, graph_);
}

std::int32_t Mesh::node_count() const {
    return std::accumulate(extents_.begin(), extents_.end(), 1, std::multiplies<>());
}

std::vector<std::string> Mesh::channel_names() const {
    std::vector<std::string> names;
    for (const Channel channel : channels_of(graph_)) {
        names.push_back(graph_[source(channel, graph_)].name + " " + graph_[channel].direction);
    }
    return names;
}

std::vector<std::uint8_t> Mesh::dimension_order_routes(hw::NodeId node) const {
    const auto& here = graph_[node.index()].coordinates;
    std::vector<std::uint8_t> route;
    route.reserve(num_vertices(graph_));
    for (std::size_t destination = 0; destination < num_vertices(graph_); ++destination) {
        const auto& there = graph_[destination].coordinates;
        int port = node_port();
        for (std::size_t d = extents_.size(); d-- > 0;) {
            if (there[d] != here[d]) {
                port = static_cast<int>(lattice_port(d, there[d] > here[d]));
            }
        }
        route.push_back(static_cast<std::uint8_t>(port));
    }
    return route;
}

std::int32_t Mesh::distance(hw::NodeId source, hw::NodeId destination) const {
    const auto& here = graph_[source.index()].coordinates;
    const auto& there = graph_[destination.index()].coordinates;
    std::int32_t sum = 0;
    for (std::size_t d = 0; d < here.size(); ++d) {
        sum += std::abs(here[d] - there[d]);
    }
    return sum;
}

std::vector<std::vector<std::int32_t>> Mesh::distances() const {
    const std::size_t count = num_vertices(graph_);
    std::vector<std::vector<std::int32_t>> distance(count, std::vector<std::int32_t>(count, 0));
    for (std::size_t source = 0; source < count; ++source) {
        boost::breadth_first_search(graph_, source,
                                    boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                        distance[source].data(), boost::on_tree_edge()))));
    }
    return distance;
}

}  // namespace weir::network
