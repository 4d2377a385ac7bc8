#include "network/topology/fat_tree.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "network/network_parameters.h"
#include "network/routing/routing_kind.h"
#include "network/topology/digits.h"

namespace weir::network {

namespace {

// The nodes halved by their numbers. A full fat tree is a folded Benes network: any permutation of
// the nodes has routes that share no channel. So each half can send to the other at full rate, and
// the nodes' own channels are the bound. For a thinner tree no width is proved.
StandardCut leaves_cut(std::size_t nodes, bool is_full) {
    StandardCut cut = halves_by_number(nodes);
    if (is_full) {
        cut.bisection = static_cast<std::int64_t>(nodes / 2);
        cut.source = "half of the nodes' own channels: the tree passes any permutation";
    }
    return cut;
}

// Up channels of each switch of a level, and number of switches at the top of each subtree of this
// level.
struct LevelShape {
    int ups = 0;
    std::size_t tops = 1;
};

std::vector<LevelShape> shapes_of(int radix, int levels, const std::vector<std::int64_t>& ups) {
    std::vector<LevelShape> shapes;
    std::size_t tops = 1;
    for (int level = 0; level < levels; ++level) {
        const auto given = std::min<std::size_t>(level + 1, ups.size());
        const bool is_full = ups.empty() || ups[given - 1] == 0;
        const int up = is_full ? radix : static_cast<int>(ups[given - 1]);
        shapes.push_back({level + 1 < levels ? up : 0, tops});
        tops *= up;
    }
    return shapes;
}

std::string title_of(int radix, int levels, bool is_partial, const std::vector<LevelShape>& shapes,
                     bool is_full) {
    std::string title = std::to_string(radix) + "-ary fat tree of " + std::to_string(levels) +
                        (levels == 1 ? " level" : " levels") + (is_partial ? ", partial" : "");
    for (int level = 0; !is_full && level + 1 < levels; ++level) {
        title += (level == 0 ? ", " : " ") + std::to_string(shapes[level].ups) +
                 (level + 2 == levels ? " up" : "");
    }
    return title;
}

// Fat-tree routing without a table, by the numbers of the switches (fat_tree_topology): down if the
// destination is below the switch, and up otherwise.
class FatTreeRouting : public Routing {
  public:
    explicit FatTreeRouting(const Topology& tree)
        : Routing(tree), radix_(radix_of(tree)), shapes_(shapes_of(tree, radix_)) {
        const Digits digits(radix_);
        for (std::size_t vertex = 0; vertex < tree.switch_count(); ++vertex) {
            const auto& coordinates = tree.graph()[vertex].coordinates;
            const std::size_t tops = shapes_[coordinates[0]].tops;
            places_.push_back({static_cast<std::uint32_t>(digits.power(coordinates[0])),
                               static_cast<std::uint32_t>(coordinates[1] / tops)});
        }
    }

    // A message that came down is above its destination, so the input does not matter.
    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: one for each port down, and one for all ports up.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return radix_ + 1;
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const Place& here = places_[vertex];
        const auto radix = static_cast<std::uint32_t>(radix_);
        const std::uint32_t child = static_cast<std::uint32_t>(destination) / here.child_leaves;
        return child / radix == here.subtree ? child % radix : radix;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto way = static_cast<int>(destination_class(place.vertex, destination));
        if (way < radix_) {
            outputs.push_back({way, 0});
            return;
        }
        for (int up = 0; up < shape_at(place.vertex).ups; ++up) {
            outputs.push_back({radix_ + up, 0});
        }
    }

  protected:
    [[nodiscard]] int radix() const { return radix_; }
    [[nodiscard]] const LevelShape& shape_at(std::size_t vertex) const {
        return shapes_[topology().graph()[vertex].coordinates[0]];
    }
    [[nodiscard]] const LevelShape& top_shape() const { return shapes_.back(); }

  private:
    // Number of ports down of a switch. Ports up follow these. A tree of one level has no ports up,
    // and all nodes are at one switch.
    static int radix_of(const Topology& tree) {
        const TopologyGraph& graph = tree.graph();
        int radix = std::numeric_limits<int>::max();
        for (const Channel channel : boost::make_iterator_range(out_edges(0, graph))) {
            if (!tree.is_ejection(channel)) {
                radix = std::min(radix, graph[channel].output_port);
            }
        }
        return radix == std::numeric_limits<int>::max() ? static_cast<int>(tree.node_count())
                                                        : radix;
    }

    static std::vector<LevelShape> shapes_of(const Topology& tree, int radix) {
        const TopologyGraph& graph = tree.graph();
        std::vector<LevelShape> shapes;
        for (std::size_t vertex = 0; vertex < tree.switch_count(); ++vertex) {
            const std::size_t level = graph[vertex].coordinates[0];
            if (level < shapes.size()) {
                continue;  // all switches of a level are alike
            }
            LevelShape shape;
            shape.tops = level == 0 ? 1 : shapes.back().tops * shapes.back().ups;
            for (const Channel channel : boost::make_iterator_range(out_edges(vertex, graph))) {
                const bool is_up =
                    !tree.is_ejection(channel) && graph[channel].output_port >= radix;
                shape.ups += is_up ? 1 : 0;
            }
            shapes.push_back(shape);
        }
        return shapes;
    }

    // Position of a switch: number of its subtree in the level, and number of leaves below each
    // child.
    struct Place {
        std::uint32_t child_leaves = 1;
        std::uint32_t subtree = 0;
    };

    int radix_;
    std::vector<LevelShape> shapes_;
    std::vector<Place> places_;
};

// The lot is the number of a switch at the top. Its digit for a level, in the radix of the level's
// up channels, is the number of the up channel.
class RandomUpRouting final : public FatTreeRouting {
  public:
    using FatTreeRouting::FatTreeRouting;

    [[nodiscard]] int lots() const override { return static_cast<int>(top_shape().tops); }
    // Message classes: one for each port, down or up.
    [[nodiscard]] std::size_t message_classes(std::size_t vertex) const override {
        return radix() + shape_at(vertex).ups;
    }
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        const std::size_t way = destination_class(vertex, destination);
        const LevelShape& shape = shape_at(vertex);
        return way < static_cast<std::size_t>(radix()) || shape.ups == 0
                   ? way
                   : way + static_cast<std::size_t>(lot) / shape.tops %
                               static_cast<std::size_t>(shape.ups);
    }
    [[nodiscard]] std::shared_ptr<const Routing> of_all_lots() const override {
        return std::make_shared<FatTreeRouting>(topology());
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        outputs.push_back(
            {static_cast<int>(message_class(place.vertex, destination, place.lot)), 0});
    }
};

class FatTreeFamily final : public TopologyFamily {
  public:
    FatTreeFamily()
        : TopologyFamily("fat_tree",
                         "nodes are the leaves of a tree of switches with `arity` children",
                         {"dimensions", "arity", "channels_up"}) {}

    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        for (const std::int64_t up : parameters.channels_up.value()) {
            if (up > parameters.arity.value()) {
                return hw::ParameterGroup::Fault{
                    "channels_up",
                    "has " + std::to_string(up) + ", more than the down channels of a switch",
                    "at "
                    "most network.arity, " +
                        std::to_string(parameters.arity.value())};
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        return fat_tree_topology(static_cast<int>(parameters.arity.value()),
                                 static_cast<std::int32_t>(parameters.node_count()),
                                 parameters.channels_up.value());
    }

    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& /*parameters*/) const override {
        return up_down_by_place(topology);
    }
    [[nodiscard]] std::unique_ptr<Routing> up_down_by_place(
        const Topology& topology) const override {
        return std::make_unique<FatTreeRouting>(topology);
    }
    [[nodiscard]] std::optional<std::vector<std::int32_t>> depths(
        const Topology& topology) const override {
        const TopologyGraph& graph = topology.graph();
        const std::int32_t top = graph[topology.switch_count() - 1].coordinates[0];
        std::vector<std::int32_t> depths;
        depths.reserve(topology.switch_count());
        for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
            depths.push_back(top - graph[vertex].coordinates[0]);
        }
        return depths;
    }

    [[nodiscard]] std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const override;
    [[nodiscard]] Layout layout(const Topology& topology) const override;
};

// The arity is the number of down channels of a switch. Empty for switches with at most one up
// channel: a tree that is not fat, or that has a single level.
std::optional<DistanceFormula> FatTreeFamily::distance_formula(const Topology& topology) const {
    const TopologyGraph& graph = topology.graph();
    std::int64_t arity = 0;
    std::int64_t up_channels = 0;
    for (const Channel channel : boost::make_iterator_range(out_edges(0, graph))) {
        ++(graph[channel].direction.starts_with("up") ? up_channels : arity);
    }
    if (up_channels < 2) {
        return std::nullopt;
    }
    const double levels =
        std::log(static_cast<double>(topology.node_count())) / std::log(static_cast<double>(arity));
    const double less = 2.0 / static_cast<double>(arity - 1);
    const std::string text =
        arity == 3 ? "2 log3(P) - 1"
                   : "2 log" + std::to_string(arity) + "(P) - 2/" + std::to_string(arity - 1);
    return DistanceFormula{text, 2.0 * levels - less, kLogpFormulas};
}

// Draws the levels from the leaves up, each spread over the whole width.
Layout FatTreeFamily::layout(const Topology& topology) const {
    constexpr double kLevel = 90.0;
    const TopologyGraph& graph = topology.graph();
    std::map<std::int32_t, int> switches_of_level;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        ++switches_of_level[graph[vertex].coordinates[0]];
    }
    const int most =
        std::max_element(switches_of_level.begin(), switches_of_level.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; })
            ->second;
    const double width =
        std::max(Layout::kRow * static_cast<double>(topology.node_count()), Layout::kPitch * most);
    const double bottom = kLevel * static_cast<double>(switches_of_level.size());
    std::vector<Layout::Place> places(num_vertices(graph));
    std::map<std::int32_t, int> rank;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        const std::int32_t level = graph[vertex].coordinates[0];
        places[vertex] = {width * (rank[level]++ + 0.5) / switches_of_level[level],
                          bottom - kLevel * (level + 1)};
    }
    Layout layout;
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
        const Layout::Place at{
            width * (static_cast<double>(node) + 0.5) / static_cast<double>(topology.node_count()),
            bottom};
        places[topology.vertex_of_node(node)] = at;
        layout.marks.push_back({at, node, node_name(topology, node)});
    }
    for (const Channel channel : channels_of(graph)) {
        const std::size_t from = source(channel, graph);
        const std::size_t to = target(channel, graph);
        if (places[to].y < places[from].y) {  // one line for a channel and the channel back
            layout.lines.push_back({places[from], places[to]});
        }
    }
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        layout.marks.push_back({places[vertex], std::nullopt, graph[vertex].name});
    }
    layout.places = std::move(places);
    return layout;
}

}  // namespace

const TopologyFamily& fat_tree_family() {
    static const FatTreeFamily family;
    return family;
}

std::unique_ptr<Routing> random_up_routing(const Topology& tree) {
    return std::make_unique<RandomUpRouting>(tree);
}

const RoutingKind& random_up_routing_kind() {
    static const RoutingKind kind{
        "random_up", "up*/down*, with a random way up by lot, whatever the traffic",
        [](const TopologyFamily& family) { return &family == &fat_tree_family(); },
        [](const Topology& topology, const NetworkParameters& /*parameters*/) {
            return random_up_routing(topology);
        }};
    return kind;
}

Topology fat_tree_topology(int radix, std::int32_t nodes, const std::vector<std::int64_t>& ups) {
    const Digits digits(radix);
    const std::size_t leaves = nodes;
    int levels = 1;
    while (digits.power(levels) < leaves) {
        ++levels;
    }
    const std::vector<LevelShape> shapes = shapes_of(radix, levels, ups);
    TopologyGraph graph;
    // vertex of each switch, by its level and number
    std::map<std::pair<int, std::size_t>, std::size_t> switches;
    for (int level = 0; level < levels; ++level) {
        const std::size_t tops = shapes[level].tops;
        for (std::size_t i = 0; i / tops * digits.power(level + 1) < leaves; ++i) {
            switches[{level, i}] =
                add_vertex({VertexKind::kSwitch,
                            "level " + std::to_string(level) + " switch " + std::to_string(i),
                            {level, static_cast<std::int32_t>(i)}},
                           graph);
        }
    }
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        const std::size_t node =
            add_vertex({VertexKind::kNode, "node " + std::to_string(leaf), {}}, graph);
        const std::size_t above = switches.at({0, leaf / radix});
        const int port = digits.digit(leaf, 0);
        add_edge(node, above, {0, port, "injection"}, graph);
        add_edge(above, node, {port, 0, "down " + std::to_string(port)}, graph);
    }
    for (const auto& [place, below] : switches) {
        const auto [level, i] = place;
        const auto [level_ups, tops] = shapes[level];
        const std::size_t subtree = i / tops;
        const int down = digits.digit(subtree, 0);
        for (int up = 0; up < level_ups; ++up) {
            const std::size_t tops_above = tops * level_ups;
            const std::size_t number = subtree / radix * tops_above + up * tops + i % tops;
            const std::size_t above = switches.at({level + 1, number});
            add_edge(below, above, {radix + up, down, "up " + std::to_string(up)}, graph);
            add_edge(above, below, {down, radix + up, "down " + std::to_string(down)}, graph);
        }
    }
    const bool is_partial = leaves < digits.power(levels);
    const bool is_full = std::all_of(shapes.begin(), shapes.end() - 1,
                                     [radix](const LevelShape& s) { return s.ups == radix; });
    return {fat_tree_family(),
            title_of(radix, levels, is_partial, shapes, is_full),
            graph,
            {.injection = true, .ejection = true},
            leaves_cut(leaves, is_full)};
}

}  // namespace weir::network
