#include "network/topology/router_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "network/network_parameters.h"
#include "network/topology/lattice.h"

namespace weir::network {

namespace {

// Ports and coordinates of a grid's routers.
class GridWiring {
  public:
    explicit GridWiring(RouterGridShape shape) : shape_(std::move(shape)) {
        int port = shape_.terminals;
        std::size_t stride = 1;
        for (const std::int32_t extent : shape_.extents) {
            first_ports_.push_back(port);
            port += shape_.is_fully_connected ? extent - 1 : 2;
            strides_.push_back(stride);
            stride *= extent;
        }
        ports_ = port;
        routers_ = stride;
    }

    [[nodiscard]] const RouterGridShape& shape() const { return shape_; }
    [[nodiscard]] std::size_t routers() const { return routers_; }
    /// Ports of a router, those of its nodes included.
    [[nodiscard]] int ports() const { return ports_; }
    [[nodiscard]] std::int32_t coordinate(std::size_t router, std::size_t dimension) const {
        return static_cast<std::int32_t>(router / strides_[dimension] % shape_.extents[dimension]);
    }
    [[nodiscard]] std::size_t with(std::size_t router, std::size_t dimension,
                                   std::int32_t there) const {
        return router + there * strides_[dimension] -
               coordinate(router, dimension) * strides_[dimension];
    }
    /// Port of a router at coordinate `here` of the dimension for the hop towards coordinate
    /// `there`.
    [[nodiscard]] int port(std::size_t dimension, std::int32_t here, std::int32_t there) const {
        const int offset =
            shape_.is_fully_connected ? (there < here ? there : there - 1) : (there < here ? 1 : 0);
        return first_ports_[dimension] + offset;
    }
    [[nodiscard]] bool are_neighbours(std::int32_t here, std::int32_t there) const {
        return here != there && (shape_.is_fully_connected || std::abs(here - there) == 1);
    }

  private:
    RouterGridShape shape_;
    std::vector<int> first_ports_;      // by dimension
    std::vector<std::size_t> strides_;  // by dimension
    int ports_ = 0;
    std::size_t routers_ = 1;
};

// The last router has the largest coordinates.
RouterGridShape shape_of_grid(const Topology& grid) {
    RouterGridShape shape;
    shape.terminals = static_cast<std::int32_t>(grid.node_count() / grid.switch_count());
    for (const std::int32_t last : grid.graph()[grid.switch_count() - 1].coordinates) {
        shape.extents.push_back(last + 1);
    }
    shape.is_fully_connected = &grid.family() != &concentrated_mesh_family();
    return shape;
}

class RouterGridRouting final : public Routing {
  public:
    explicit RouterGridRouting(const Topology& grid)
        : Routing(grid), wiring_(shape_of_grid(grid)) {}

    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: the output port.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return wiring_.ports();
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const std::size_t terminals = wiring_.shape().terminals;
        const std::size_t last = destination / terminals;
        for (std::size_t d = 0; d < wiring_.shape().extents.size(); ++d) {
            const std::int32_t here = wiring_.coordinate(vertex, d);
            const std::int32_t there = wiring_.coordinate(last, d);
            if (here != there) {
                return wiring_.port(d, here, there);
            }
        }
        return destination % terminals;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        outputs.push_back({static_cast<int>(destination_class(place.vertex, destination)), 0});
    }

  private:
    GridWiring wiring_;
};

Topology grid_topology(const TopologyFamily& family, const std::string& title,
                       const RouterGridShape& shape) {
    const GridWiring wiring(shape);
    TopologyGraph graph;
    for (std::size_t router = 0; router < wiring.routers(); ++router) {
        TopologyVertex vertex;
        for (std::size_t d = 0; d < shape.extents.size(); ++d) {
            vertex.coordinates.push_back(wiring.coordinate(router, d));
        }
        vertex.name = place_name(vertex.coordinates);
        add_vertex(vertex, graph);
    }
    for (std::size_t router = 0; router < wiring.routers(); ++router) {
        for (std::int32_t port = 0; port < shape.terminals; ++port) {
            const std::size_t node =
                add_vertex({VertexKind::kNode,
                            "node " + std::to_string(num_vertices(graph) - wiring.routers()),
                            {}},
                           graph);
            add_edge(node, router, {0, port, "injection"}, graph);
            add_edge(router, node, {port, 0, "down " + std::to_string(port)}, graph);
        }
    }
    for (std::size_t router = 0; router < wiring.routers(); ++router) {
        for (std::size_t d = 0; d < shape.extents.size(); ++d) {
            const std::int32_t here = wiring.coordinate(router, d);
            for (std::int32_t there = 0; there < shape.extents[d]; ++there) {
                if (wiring.are_neighbours(here, there)) {
                    const std::string direction = shape.is_fully_connected
                                                      ? axis_name(d) + " " + std::to_string(there)
                                                      : (there > here ? "+" : "-") + axis_name(d);
                    add_edge(router, wiring.with(router, d, there),
                             {wiring.port(d, here, there), wiring.port(d, there, here), direction},
                             graph);
                }
            }
        }
    }
    const std::size_t nodes = num_vertices(graph) - wiring.routers();
    return {family,
            title + " " + extents_text(shape.extents) + " of routers with " +
                std::to_string(shape.terminals) + " nodes each",
            graph,
            {.injection = true, .ejection = true},
            halves_by_number(nodes)};
}

class RouterGridFamily final : public TopologyFamily {
  public:
    using MakeGrid = Topology (*)(std::int32_t terminals, const std::vector<std::int32_t>& extents);
    RouterGridFamily(std::string name, std::string sentence, MakeGrid make_grid, bool is_regular)
        : TopologyFamily(std::move(name), std::move(sentence), {"dimensions"}),
          make_grid_(make_grid),
          is_regular_(is_regular) {}

    [[nodiscard]] bool has_extents() const override { return true; }
    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        const std::vector<std::int32_t> extents = parameters.extents();
        if (extents.size() < 2) {
            return hw::ParameterGroup::Fault{
                parameters.dimensions.name(), "does not describe a grid of routers",
                "[nodes per router, routers in the first dimension, ...]"};
        }
        const bool are_equal = std::adjacent_find(extents.begin() + 1, extents.end(),
                                                  std::not_equal_to<>()) == extents.end();
        if (is_regular_ && !are_equal) {
            return hw::ParameterGroup::Fault{parameters.dimensions.name(),
                                             "has different numbers of routers in its dimensions",
                                             "equal numbers, or network.topology = \"hyperx\""};
        }
        return std::nullopt;
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        const std::vector<std::int32_t> extents = parameters.extents();
        return make_grid_(extents[0], {extents.begin() + 1, extents.end()});
    }
    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return router_grid_routing(topology);
    }

  private:
    MakeGrid make_grid_;
    bool is_regular_;
};

}  // namespace

const TopologyFamily& concentrated_mesh_family() {
    static const RouterGridFamily family{
        "concentrated_mesh",
        "a mesh of routers with several nodes each: dimensions = [nodes per router, routers along "
        "x, along y, ...] (Balfour and Dally 2006)",
        concentrated_mesh_topology, false};
    return family;
}

const TopologyFamily& flattened_butterfly_family() {
    static const RouterGridFamily family{
        "flattened_butterfly",
        "a grid whose rows of routers are fully connected: dimensions = [nodes per router, equal "
        "numbers of routers in each dimension] (Kim, Dally and Abts 2007)",
        flattened_butterfly_topology, true};
    return family;
}

const TopologyFamily& hyperx_family() {
    static const RouterGridFamily family{
        "hyperx",
        "a flattened butterfly with any numbers of routers: dimensions = [nodes per router, "
        "routers in the first dimension, ...] (Ahn et al. 2009)",
        hyperx_topology, false};
    return family;
}

Topology concentrated_mesh_topology(std::int32_t terminals,
                                    const std::vector<std::int32_t>& extents) {
    return grid_topology(concentrated_mesh_family(), "concentrated mesh",
                         {terminals, extents, false});
}

Topology flattened_butterfly_topology(std::int32_t terminals,
                                      const std::vector<std::int32_t>& extents) {
    return grid_topology(flattened_butterfly_family(), "flattened butterfly",
                         {terminals, extents, true});
}

Topology hyperx_topology(std::int32_t terminals, const std::vector<std::int32_t>& extents) {
    return grid_topology(hyperx_family(), "HyperX", {terminals, extents, true});
}

std::unique_ptr<Routing> router_grid_routing(const Topology& grid) {
    return std::make_unique<RouterGridRouting>(grid);
}

}  // namespace weir::network
