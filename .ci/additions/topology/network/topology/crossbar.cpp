#include "network/topology/crossbar.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "network/network_parameters.h"

namespace weir::network {

namespace {

class CrossbarRouting final : public Routing {
  public:
    using Routing::Routing;

    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return topology().node_count();
    }
    [[nodiscard]] std::size_t destination_class(std::size_t /*vertex*/,
                                                std::size_t destination) const override {
        return destination;
    }
    void add_outputs(const HeaderPlace& /*place*/, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        outputs.push_back({static_cast<int>(destination), 0});
    }
};

class CrossbarFamily final : public TopologyFamily {
  public:
    CrossbarFamily() : TopologyFamily("crossbar", "one switch for all nodes", {"dimensions"}) {}

    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return crossbar_topology(parameters.node_count());
    }
    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return std::make_unique<CrossbarRouting>(topology);
    }
};

}  // namespace

const TopologyFamily& crossbar_family() {
    static const CrossbarFamily family;
    return family;
}

Topology crossbar_topology(std::int64_t nodes) {
    TopologyGraph graph;
    const std::size_t crossbar = add_vertex({VertexKind::kSwitch, "crossbar", {0}}, graph);
    for (std::int64_t node = 0; node < nodes; ++node) {
        const int port = static_cast<int>(node);
        const std::size_t vertex =
            add_vertex({VertexKind::kNode, "node " + std::to_string(node), {}}, graph);
        add_edge(vertex, crossbar, {0, port, "injection"}, graph);
        add_edge(crossbar, vertex, {port, 0, "to " + std::to_string(port)}, graph);
    }
    return {crossbar_family(),
            "crossbar of " + std::to_string(nodes) + " ports",
            graph,
            {.injection = false, .ejection = true}};
}

}  // namespace weir::network
