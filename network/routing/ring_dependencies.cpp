#include "network/routing/ring_dependencies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "network/routing/route_walk.h"
#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

namespace weir::network {

namespace {

using Vertex = EdgeSet::Vertex;

// A virtual channel from a ring's router to the next one, or to the router's node.
struct Output {
    std::size_t router = 0;  // position in the ring
    int port = 0;
    std::size_t vc = 0;
};

// Dependencies at one router of a ring.
struct AtRouter {
    std::vector<std::pair<Output, Output>> inside;  // from a channel into the next one of the ring
    std::vector<Output> ends;    // channels of the ring by which messages for this position arrive
    std::vector<Output> begins;  // first channels of messages that start here
    std::vector<std::size_t> ejections;  // virtual channels to the node
};

struct Ring {
    std::vector<AtRouter> routers;
    bool has_choice = false;
};

void add_once(std::vector<std::size_t>& list, std::size_t number) {
    if (std::find(list.begin(), list.end(), number) == list.end()) {
        list.push_back(number);
    }
}

void add_once(std::vector<Output>& list, const Output& output) {
    const auto is_same = [&output](const Output& other) {
        return other.router == output.router && other.port == output.port && other.vc == output.vc;
    };
    if (std::none_of(list.begin(), list.end(), is_same)) {
        list.push_back(output);
    }
}

// Follows all messages of one lot in a ring of its own, which has `extent` routers.
Ring ring_of(const Routing& routing, std::int32_t extent, int lot) {
    const bool is_end_around = routing.topology().lattice()->is_end_around;
    const Topology topology = is_end_around ? torus_topology({extent}) : mesh_topology({extent});
    const TopologyGraph& graph = topology.graph();
    const std::unique_ptr<Routing> on_ring = routing.on_ring(topology);
    const ChannelIndex channels(topology);
    RouteWalk walk(*on_ring, channels, true);
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        (void)walk.go_to(node, lot);
    }
    Ring ring{std::vector<AtRouter>(topology.switch_count()), walk.has_choice()};
    const std::size_t vcs = on_ring->virtual_channels();
    const auto output_of = [&](Vertex vertex) {
        const Channel channel = channels.channel(vertex / vcs);
        return Output{source(channel, graph), graph[channel].output_port, vertex % vcs};
    };
    for (const auto& [from, into] : walk.dependencies().edges()) {
        const Channel held = channels.channel(from / vcs);
        const Channel asked = channels.channel(into / vcs);
        AtRouter& router = ring.routers[target(held, graph)];
        if (topology.is_injection(held)) {
            add_once(router.begins, output_of(into));
        } else if (topology.is_ejection(asked)) {
            add_once(router.ends, output_of(from));
            add_once(router.ejections, into % vcs);
        } else {
            router.inside.emplace_back(output_of(from), output_of(into));
        }
    }
    return ring;
}

// Composes the dependencies of all routers for messages of one lot.
class Composition {
  public:
    Composition(const Routing& routing, const ChannelIndex& channels, RingDependencies& all)
        : routing_(routing),
          channels_(channels),
          extents_(routing.topology().lattice()->extents),
          all_(all) {
        std::size_t stride = 1;
        for (const std::int32_t extent : extents_) {
            strides_.push_back(stride);
            stride *= extent;
        }
    }

    void add_lot(int lot) {
        std::map<std::int32_t, Ring> rings;
        for (const std::int32_t extent : extents_) {
            if (!rings.contains(extent)) {
                rings.emplace(extent, ring_of(routing_, extent, lot));
                all_.has_choice = all_.has_choice || rings.at(extent).has_choice;
            }
        }
        for (std::size_t router = 0; router < routing_.topology().switch_count(); ++router) {
            add_router(router, rings);
        }
    }

  private:
    void add_router(std::size_t router, const std::map<std::int32_t, Ring>& rings) {
        const Topology& topology = routing_.topology();
        const std::size_t vcs = routing_.virtual_channels();
        // A router's node has the same number. It injects on virtual channel 0.
        std::vector<Vertex> leave_dimension{
            static_cast<Vertex>(channels_.at_output(topology.vertex_of_node(router), 0) * vcs)};
        for (const std::size_t dimension : routing_.dimension_order()) {
            const AtRouter& here =
                rings.at(extents_[dimension]).routers[position(router, dimension)];
            for (const Output& first : here.begins) {
                for (const Vertex from : leave_dimension) {
                    all_.edges.add(from, vertex_of(router, dimension, first));
                }
            }
            for (const auto& [from, into] : here.inside) {
                all_.edges.add(vertex_of(router, dimension, from),
                               vertex_of(router, dimension, into));
            }
            for (const Output& last : here.ends) {
                const Vertex from = vertex_of(router, dimension, last);
                leave_dimension.push_back(from);
                const std::size_t node_port = lattice_port(extents_.size(), true);
                for (const std::size_t vc : here.ejections) {
                    all_.edges.add(
                        from,
                        static_cast<Vertex>(
                            channels_.at_output(router, static_cast<int>(node_port)) * vcs + vc));
                }
            }
        }
    }

    [[nodiscard]] std::size_t position(std::size_t router, std::size_t dimension) const {
        return router / strides_[dimension] % extents_[dimension];
    }
    // The virtual channel of the ring through `router` in this dimension.
    [[nodiscard]] Vertex vertex_of(std::size_t router, std::size_t dimension,
                                   const Output& output) const {
        const std::size_t source =
            router + (output.router - position(router, dimension)) * strides_[dimension];
        const auto port = static_cast<int>(lattice_port(dimension, output.port == 0));
        return static_cast<Vertex>(channels_.at_output(source, port) * routing_.virtual_channels() +
                                   output.vc);
    }

    const Routing& routing_;
    const ChannelIndex& channels_;
    const std::vector<std::int32_t>& extents_;
    std::vector<std::size_t> strides_;
    RingDependencies& all_;
};

}  // namespace

// A message goes through one ring in each dimension, and its channels there depend on nothing
// outside the ring. At a corner it comes from any channel that ends a ring's route. It goes on by
// any first channel of a ring in a later dimension.
RingDependencies ring_dependencies(const Routing& routing, const ChannelIndex& channels) {
    RingDependencies all{EdgeSet(channels.count() * routing.virtual_channels())};
    Composition composition(routing, channels, all);
    for (int lot = 0; lot < routing.lots(); ++lot) {
        composition.add_lot(lot);
    }
    return all;
}

}  // namespace weir::network
