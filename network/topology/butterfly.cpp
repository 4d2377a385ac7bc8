#include "network/topology/butterfly.h"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "network/network_parameters.h"
#include "network/routing/routing_kind.h"
#include "network/topology/digits.h"

namespace weir::network {

namespace {

bool is_power(std::int64_t number, std::int64_t base) {
    std::int64_t power = base;
    while (power < number) {
        power *= base;
    }
    return power == number;
}

int exponent(std::int64_t power, std::int64_t base) {
    int exponent = 0;
    for (; power > 1; power /= base) {
        ++exponent;
    }
    return exponent;
}

// The first coordinate of a switch is its stage.
std::int32_t stages_of(const Topology& butterfly) {
    return butterfly.graph()[butterfly.switch_count() - 1].coordinates[0] + 1;
}

class DestinationTagRouting final : public Routing {
  public:
    explicit DestinationTagRouting(const Topology& butterfly)
        : Routing(butterfly),
          stages_(stages_of(butterfly)),
          radix_(butterfly.node_count() * stages_ / butterfly.switch_count()) {
        const Digits digits(static_cast<int>(radix_));
        for (std::size_t node = 0; node < butterfly.node_count(); ++node) {
            for (int place = 0; place < stages_; ++place) {
                digits_.push_back(static_cast<std::uint16_t>(digits.digit(node, place)));
            }
        }
    }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return radix_;
    }
    // Digit of the destination that selects the output in the switch's stage; stage 0 uses the
    // highest digit.
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const std::int32_t stage = topology().graph()[vertex].coordinates[0];
        return digits_[destination * stages_ + stages_ - 1 - stage];
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        outputs.push_back({static_cast<int>(destination_class(place.vertex, destination)), 0});
    }

  private:
    std::int32_t stages_;
    std::size_t radix_;
    std::vector<std::uint16_t> digits_;  // digits of each node, lowest digit first
};

class ButterflyFamily final : public TopologyFamily {
  public:
    ButterflyFamily()
        : TopologyFamily("butterfly",
                         "stages of switches with `arity` inputs and `arity` outputs, all channels "
                         "leading to the next stage",
                         {"dimensions", "arity"}) {}

    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        const std::int64_t nodes = parameters.node_count();
        if (is_power(nodes, parameters.arity.value())) {
            return std::nullopt;
        }
        return hw::ParameterGroup::Fault{"dimensions",
                                         "makes " + std::to_string(nodes) +
                                             " nodes, which is no butterfly of arity " +
                                             std::to_string(parameters.arity.value()),
                                         "extents whose product is a power of the arity"};
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        const std::int64_t arity = parameters.arity.value();
        return butterfly_topology(static_cast<int>(arity),
                                  exponent(parameters.node_count(), arity));
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return destination_tag_routing(topology);
    }

    [[nodiscard]] std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const override {
        const double stages = stages_of(topology);
        const auto nodes = static_cast<double>(topology.node_count());
        const long arity = std::lround(std::pow(nodes, 1.0 / stages));
        return DistanceFormula{"log" + std::to_string(arity) + "(P)", stages, kLogpFormulas};
    }
    [[nodiscard]] Layout layout(const Topology& topology) const override;
};

// Draws the stages from left to right. Nodes are drawn before the first stage, where they inject,
// and again after the last, where they eject.
Layout ButterflyFamily::layout(const Topology& topology) const {
    constexpr double kStage = 110.0;
    const TopologyGraph& graph = topology.graph();
    const double height = Layout::kRow * static_cast<double>(topology.node_count());
    const std::int32_t stage_count = stages_of(topology);
    const auto stage_switches =
        static_cast<double>(topology.switch_count()) / static_cast<double>(stage_count);
    const auto place = [&](std::size_t vertex) {
        const std::vector<std::int32_t>& at = graph[vertex].coordinates;
        return Layout::Place{kStage * (at[0] + 1), height * (at[1] + 0.5) / stage_switches};
    };
    // A node is drawn at the height of its port.
    const auto node_place = [&](std::size_t at, int port, double column) {
        const auto ports = static_cast<double>(topology.node_count()) / stage_switches;
        return Layout::Place{kStage * column,
                             place(at).y + Layout::kRow * (port + 0.5 - ports / 2)};
    };
    Layout layout;
    layout.places.resize(num_vertices(graph));
    for (const Channel channel : channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        const bool injects = topology.is_injection(channel);
        if (!injects && !topology.is_ejection(channel)) {
            layout.lines.push_back({place(from), place(to)});
            continue;
        }
        const std::size_t node = (injects ? from : to) - topology.switch_count();
        const Layout::Place at =
            injects ? node_place(to, graph[channel].input_port, 0)
                    : node_place(from, graph[channel].output_port, stage_count + 1.0);
        if (!injects) {
            layout.places[to] = at;
        }
        layout.lines.push_back({injects ? at : place(from), injects ? place(to) : at});
        layout.marks.push_back(
            {at, node, node_name(topology, node) + (injects ? ", sending" : ", receiving")});
    }
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        layout.marks.push_back({place(vertex), std::nullopt, graph[vertex].name});
        layout.places[vertex] = place(vertex);
    }
    return layout;
}

}  // namespace

const TopologyFamily& butterfly_family() {
    static const ButterflyFamily family;
    return family;
}

std::unique_ptr<Routing> destination_tag_routing(const Topology& butterfly) {
    assert(&butterfly.family() == &butterfly_family());
    return std::make_unique<DestinationTagRouting>(butterfly);
}

const RoutingKind& destination_tag_routing_kind() {
    static const RoutingKind kind{
        "destination_tag", "a digit of the destination at each stage",
        [](const TopologyFamily& family) { return &family == &butterfly_family(); },
        own_routing_of_topology};
    return kind;
}

Topology butterfly_topology(int radix, int stages) {
    const Digits digits(radix);
    const std::size_t rows = digits.power(stages);
    const std::size_t stage_switches = digits.power(stages - 1);
    TopologyGraph graph;
    for (int stage = 0; stage < stages; ++stage) {
        for (std::size_t i = 0; i < stage_switches; ++i) {
            add_vertex({VertexKind::kSwitch,
                        "stage " + std::to_string(stage) + " switch " + std::to_string(i),
                        {stage, static_cast<std::int32_t>(i)}},
                       graph);
        }
    }
    const std::size_t first_node = num_vertices(graph);
    for (std::size_t node = 0; node < rows; ++node) {
        add_vertex({VertexKind::kNode, "node " + std::to_string(node), {}}, graph);
    }
    // The switch of a row in a stage, and the row's port there.
    const auto switch_of = [&](std::size_t row, int stage) {
        return stage * stage_switches + digits.without(row, stages - 1 - stage);
    };
    const auto port_of = [&](std::size_t row, int stage) {
        return digits.digit(row, stages - 1 - stage);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        add_edge(first_node + row, switch_of(row, 0), {0, port_of(row, 0), "injection"}, graph);
        for (int stage = 0; stage < stages; ++stage) {
            const bool is_last = stage + 1 == stages;
            const int port = port_of(row, stage);
            const ChannelEdge channel{port, is_last ? 0 : port_of(row, stage + 1),
                                      "to " + std::to_string(port)};
            add_edge(switch_of(row, stage), is_last ? first_node + row : switch_of(row, stage + 1),
                     channel, graph);
        }
    }
    return {butterfly_family(),
            std::to_string(radix) + "-ary " + std::to_string(stages) + "-fly butterfly",
            graph,
            {.injection = false, .ejection = true},
            halves_by_number(rows)};
}

}  // namespace weir::network
