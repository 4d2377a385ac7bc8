#include "network/routing/channel_dependencies.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace weir::network {

namespace {

using Vertex = std::uint32_t;
constexpr Vertex kNone = ~Vertex{0};

// Edges, each once.
class EdgeSet {
  public:
    explicit EdgeSet(std::size_t vertex_count) : targets_(vertex_count) {}

    void add(Vertex from, Vertex into) {
        Targets& targets = targets_[from];
        if (targets.newest == into) {  // from one destination to the next little changes
            return;
        }
        targets.newest = into;
        const auto at = std::lower_bound(targets.sorted.begin(), targets.sorted.end(), into);
        if (at == targets.sorted.end() || *at != into) {
            targets.sorted.insert(at, into);
        }
    }
    [[nodiscard]] const std::vector<Vertex>& behind(Vertex from) const {
        return targets_[from].sorted;
    }
    [[nodiscard]] std::size_t vertex_count() const { return targets_.size(); }
    /// In their order.
    [[nodiscard]] std::vector<std::pair<Vertex, Vertex>> edges() const {
        std::vector<std::pair<Vertex, Vertex>> edges;
        for (std::size_t from = 0; from < targets_.size(); ++from) {
            for (const Vertex into : targets_[from].sorted) {
                edges.emplace_back(static_cast<Vertex>(from), into);
            }
        }
        return edges;
    }

  private:
    struct Targets {
        Vertex newest = kNone;
        std::vector<Vertex> sorted;
    };
    std::vector<Targets> targets_;
};

// A level for each vertex, above those of all with an edge to it: there are such as long as there
// is no circle.
class Levels {
  public:
    /// Of the edges that there are, which have no circle.
    explicit Levels(EdgeSet& edges) : edges_(edges), levels_(edges.vertex_count(), 0) {
        std::vector<std::uint32_t> edges_to(levels_.size(), 0);
        for (Vertex from = 0; from < levels_.size(); ++from) {
            for (const Vertex into : edges_.behind(from)) {
                ++edges_to[into];
            }
        }
        std::vector<Vertex> done;
        for (Vertex vertex = 0; vertex < levels_.size(); ++vertex) {
            if (edges_to[vertex] == 0) {
                done.push_back(vertex);
            }
        }
        while (!done.empty()) {
            const Vertex from = done.back();
            done.pop_back();
            for (const Vertex into : edges_.behind(from)) {
                levels_[into] = std::max(levels_[into], levels_[from] + 1);
                if (--edges_to[into] == 0) {
                    done.push_back(into);
                }
            }
        }
    }

    [[nodiscard]] std::uint32_t operator[](Vertex vertex) const { return levels_[vertex]; }
    /// An edge more; false when it closes a circle.
    [[nodiscard]] bool add(Vertex from, Vertex into) {
        edges_.add(from, into);
        raised_.assign(1, into);
        levels_[into] = std::max(levels_[into], levels_[from] + 1);
        while (!raised_.empty()) {
            const Vertex at = raised_.back();
            raised_.pop_back();
            if (at == from) {
                return false;
            }
            for (const Vertex next : edges_.behind(at)) {
                if (levels_[next] <= levels_[at]) {
                    levels_[next] = levels_[at] + 1;
                    raised_.push_back(next);
                }
            }
        }
        return true;
    }

  private:
    EdgeSet& edges_;
    std::vector<std::uint32_t> levels_;
    std::vector<Vertex> raised_;  // whose edges are still to be looked at
};

// Goes all the ways to one destination after the other. What is kept of a destination lies in flat
// arrays, and is of the present one where its stamp says so: a large network has millions of pairs.
class WaysOfMessages {
  public:
    WaysOfMessages(const Routing& routing, const ChannelIndex& channels,
                   ChannelDependencies::Of of);

    /// With this lot. Returns where the escapes leave a message stuck on its way there, if
    /// anywhere. Of escapes the direct dependencies are added.
    std::optional<Vertex> go_to(std::size_t destination, int lot);
    enum class Order : std::uint8_t { kHolds, kWasRaised, kHasCircle };
    /// Whether levels of the escapes, without a circle so far, are above those of all escapes that
    /// they depend on, of messages there; of those where it is not so some are added.
    [[nodiscard]] Order order_escapes(std::size_t destination, int lot, Levels& levels);
    [[nodiscard]] EdgeSet& dependencies() { return dependencies_; }
    /// Whether a message could ask for several so far.
    [[nodiscard]] bool has_choice() const { return has_choice_; }
    [[nodiscard]] bool has_escape() const { return has_escape_; }

  private:
    // A switch tells few ways apart where there are at least so many times as many nodes.
    static constexpr std::size_t kFew = 4;

    struct Asked {
        Vertex vertex;
        bool is_escape;
    };
    // What a message asks for, as a part of all_asked_.
    struct AskedPart {
        std::uint32_t first = 0;
        std::uint32_t end = 0;  // not 0 where it is known
    };
    struct AskedAt {
        std::uint32_t stamp = 0;
        AskedPart part;
        std::size_t way = 0;  // where switches tell few apart
    };
    // Where a virtual channel leads to.
    struct End {
        HeaderPlace place;
        std::uint32_t node = 0;  // of an ejection
        bool is_ejection = false;
    };

    // What asks for the same has the same place: messages in a switch, or in a virtual channel
    // where the input matters.
    [[nodiscard]] std::size_t place_of(Vertex holding) const {
        return looks_at_input_ ? holding : ends_[holding].place.vertex;
    }
    [[nodiscard]] std::span<const Asked> asked_at(std::size_t place) const {
        const AskedPart& part = asked_at_[place].part;
        return {all_asked_.data() + part.first, all_asked_.data() + part.end};
    }
    [[nodiscard]] bool has_asked_at(std::size_t place) const {
        return asked_at_[place].stamp == stamp_;
    }
    [[nodiscard]] std::span<const Asked> asked_behind(Vertex holding);
    [[nodiscard]] AskedPart ask_routing(Vertex holding);
    // One of those with this destination and lot; where switches tell few apart.
    [[nodiscard]] std::size_t way_behind(Vertex holding) const {
        return routing_.way_to(ends_[holding].place.vertex, destination_) *
                   static_cast<std::size_t>(routing_.lots()) +
               static_cast<std::size_t>(lot_);
    }
    // In the graph: of an adaptive routing the escapes alone.
    [[nodiscard]] bool has_dependencies(Vertex holding) const {
        return !ends_[holding].is_ejection && (!has_escape_ || is_escape_[holding] == stamp_);
    }
    void add_dependencies_of(Vertex holding);
    [[nodiscard]] bool turns_back(Vertex injection);
    void see(Vertex vertex);
    void see_all_behind(Vertex holding);
    void reach(std::size_t destination, int lot);
    void mark_escapes();
    void sort_places();
    void find_lowest(const Levels& levels);
    [[nodiscard]] std::optional<Vertex> stuck_by_escapes();
    [[nodiscard]] std::optional<Vertex> escape_behind(Vertex holding);

    const Routing& routing_;
    const ChannelIndex& channels_;
    std::size_t virtual_channels_;
    bool looks_at_input_;
    bool has_escape_;
    std::size_t destination_ = 0;
    int lot_ = 0;
    std::uint32_t stamp_ = 0;
    std::vector<End> ends_;                                   // of each virtual channel
    std::vector<std::pair<std::size_t, Vertex>> injections_;  // the node first
    std::vector<RoutedOutput> outputs_;
    std::vector<Asked> all_asked_;
    std::vector<AskedAt> asked_at_;  // by place
    // Destinations on one way ask for the same. So where a switch tells few ways apart, what is
    // asked for is kept, by place and way; and by virtual channel and way whether its dependencies
    // were added.
    std::size_t few_ways_ = 0;  // lots included; none where they are many
    std::vector<AskedPart> known_;
    std::vector<bool> is_added_;
    std::vector<std::size_t> places_;  // where something was asked for
    std::vector<std::uint32_t> seen_;
    std::vector<Vertex> reached_;  // in the order in which they were seen
    std::vector<std::uint32_t> is_escape_;
    std::vector<std::uint32_t> leads_there_;
    bool has_choice_ = false;
    std::vector<Vertex> way_;
    // The places, each behind those that lead to it by others than escapes, but for circles; and
    // the escape of the lowest level that is asked for there, or where such ways lead.
    std::vector<std::size_t> sorted_places_;
    std::vector<std::uint32_t> is_sorted_;
    std::vector<std::pair<std::size_t, std::size_t>> place_and_next_;
    std::vector<Vertex> lowest_;
    EdgeSet dependencies_;
};

WaysOfMessages::WaysOfMessages(const Routing& routing, const ChannelIndex& channels,
                               ChannelDependencies::Of of)
    : routing_(routing),
      channels_(channels),
      virtual_channels_(static_cast<std::size_t>(routing.virtual_channels())),
      looks_at_input_(routing.looks_at_input()),
      has_escape_(routing.has_escape() && of == ChannelDependencies::Of::kProof),
      dependencies_(channels.count() * static_cast<std::size_t>(routing.virtual_channels())) {
    const Topology& topology = routing.topology();
    const TopologyGraph& graph = topology.graph();
    for (std::size_t number = 0; number < channels.count(); ++number) {
        const Channel channel = channels.channel(number);
        if (topology.is_injection(channel)) {  // on its virtual channel 0
            injections_.emplace_back(source(channel, graph) - topology.switch_count(),
                                     static_cast<Vertex>(ends_.size()));
        }
        for (int lane = 0; lane < routing.virtual_channels(); ++lane) {
            End& end = ends_.emplace_back();
            end.place = {target(channel, graph), graph[channel].input_port, lane};
            end.is_ejection = topology.is_ejection(channel);
            if (end.is_ejection) {
                end.node = static_cast<std::uint32_t>(end.place.vertex - topology.switch_count());
            }
        }
    }
    asked_at_.resize(routing.looks_at_input() ? ends_.size() : topology.switch_count());
    seen_.resize(ends_.size(), 0);
    is_escape_.resize(ends_.size(), 0);
    leads_there_.resize(ends_.size(), 0);
    is_sorted_.resize(asked_at_.size(), 0);
    lowest_.resize(asked_at_.size(), kNone);
    std::size_t most_ways = 0;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        most_ways = std::max(most_ways, routing.ways(vertex));
    }
    if (kFew * most_ways <= topology.node_count()) {
        few_ways_ = most_ways * static_cast<std::size_t>(routing.lots());
        known_.resize(asked_at_.size() * few_ways_);
        is_added_.resize(ends_.size() * few_ways_, false);
    }
}

std::span<const WaysOfMessages::Asked> WaysOfMessages::asked_behind(Vertex holding) {
    const std::size_t place = place_of(holding);
    if (!has_asked_at(place)) {
        places_.push_back(place);
        AskedAt& at = asked_at_[place];
        at.stamp = stamp_;
        if (few_ways_ == 0) {
            at.part = ask_routing(holding);
        } else {
            at.way = way_behind(holding);
            AskedPart& known = known_[place * few_ways_ + at.way];
            if (known.end == 0) {
                known = ask_routing(holding);
            }
            at.part = known;
        }
    }
    return asked_at(place);
}

WaysOfMessages::AskedPart WaysOfMessages::ask_routing(Vertex holding) {
    HeaderPlace place = ends_[holding].place;
    place.lot = lot_;
    AskedPart part;
    part.first = static_cast<std::uint32_t>(all_asked_.size());
    outputs_.clear();
    routing_.add_outputs(place, destination_, outputs_);
    for (const RoutedOutput& output : outputs_) {
        const std::size_t vertex =
            channels_.at_output(place.vertex, output.port) * virtual_channels_ +
            static_cast<std::size_t>(output.virtual_channel);
        // An ejection is an escape, as nothing follows it.
        all_asked_.push_back(
            {static_cast<Vertex>(vertex), output.is_escape || ends_[vertex].is_ejection});
    }
    part.end = static_cast<std::uint32_t>(all_asked_.size());
    return part;
}

// Whether all that follows leads to nodes.
bool WaysOfMessages::turns_back(Vertex injection) {
    const std::span<const Asked> asked = asked_behind(injection);
    return std::all_of(asked.begin(), asked.end(),
                       [this](Asked next) { return ends_[next.vertex].is_ejection; });
}

void WaysOfMessages::see(Vertex vertex) {
    if (seen_[vertex] != stamp_) {
        seen_[vertex] = stamp_;
        reached_.push_back(vertex);
    }
}

void WaysOfMessages::see_all_behind(Vertex holding) {
    const std::span<const Asked> all_asked = asked_behind(holding);
    has_choice_ = has_choice_ || all_asked.size() > 1;
    for (const Asked asked : all_asked) {
        see(asked.vertex);
    }
}

// From every node's injections on, whatever the routing lets a message take; a message to its
// sender matters where it doesn't turn back at once, as in a butterfly.
void WaysOfMessages::reach(std::size_t destination, int lot) {
    destination_ = destination;
    lot_ = lot;
    ++stamp_;
    places_.clear();
    reached_.clear();
    if (few_ways_ == 0) {
        all_asked_.clear();
    }
    std::size_t next = 0;
    const auto go_on = [&] {
        while (next < reached_.size()) {  // it grows meanwhile
            const Vertex holding = reached_[next++];
            if (!ends_[holding].is_ejection && !has_asked_at(place_of(holding))) {
                see_all_behind(holding);
            }
        }
    };
    for (const auto& [node, injection] : injections_) {
        if (node != destination) {
            see(injection);
        }
    }
    go_on();
    for (const auto& [node, injection] : injections_) {
        if (node == destination && !turns_back(injection)) {
            see(injection);
            see_all_behind(injection);
            go_on();
        }
    }
    if (has_escape_) {
        mark_escapes();
    }
}

std::optional<Vertex> WaysOfMessages::go_to(std::size_t destination, int lot) {
    reach(destination, lot);
    for (const Vertex holding : reached_) {
        if (has_dependencies(holding)) {
            add_dependencies_of(holding);
        }
    }
    return has_escape_ ? stuck_by_escapes() : std::nullopt;
}

void WaysOfMessages::add_dependencies_of(Vertex holding) {
    const std::size_t place = place_of(holding);
    if (few_ways_ > 0) {
        std::vector<bool>::reference is_added =
            is_added_[holding * few_ways_ + asked_at_[place].way];
        if (is_added) {
            return;
        }
        is_added = true;
    }
    for (const Asked asked : asked_at(place)) {
        if (asked.is_escape || !has_escape_) {
            dependencies_.add(holding, asked.vertex);
        }
    }
}

void WaysOfMessages::mark_escapes() {
    for (const std::size_t place : places_) {
        for (const Asked asked : asked_at(place)) {
            if (asked.is_escape) {
                is_escape_[asked.vertex] = stamp_;
            }
        }
    }
}

// An escape depends on all escapes that are asked for behind it, directly or after other channels:
// in large networks these are millions. That the lowest is above it says the same.
WaysOfMessages::Order WaysOfMessages::order_escapes(std::size_t destination, int lot,
                                                    Levels& levels) {
    reach(destination, lot);
    sort_places();
    find_lowest(levels);
    Order order = Order::kHolds;
    for (const Vertex holding : reached_) {
        const Vertex lowest = has_dependencies(holding) ? lowest_[place_of(holding)] : kNone;
        if (lowest == kNone || levels[lowest] > levels[holding]) {
            continue;
        }
        if (!levels.add(holding, lowest)) {
            return Order::kHasCircle;
        }
        order = Order::kWasRaised;
    }
    return order;
}

// Depth-first.
void WaysOfMessages::sort_places() {
    sorted_places_.clear();
    for (const std::size_t first : places_) {
        if (is_sorted_[first] == stamp_) {
            continue;
        }
        is_sorted_[first] = stamp_;
        place_and_next_.assign(1, {first, 0});
        while (!place_and_next_.empty()) {
            auto& [place, next] = place_and_next_.back();
            const std::span<const Asked> all_asked = asked_at(place);
            if (next == all_asked.size()) {
                sorted_places_.push_back(place);
                place_and_next_.pop_back();
                continue;
            }
            const Asked asked = all_asked[next++];
            const std::size_t behind = place_of(asked.vertex);
            if (!asked.is_escape && is_sorted_[behind] != stamp_) {
                is_sorted_[behind] = stamp_;
                place_and_next_.emplace_back(behind, 0);
            }
        }
    }
}

// Where no such ways lead in a circle, once over all places is enough.
void WaysOfMessages::find_lowest(const Levels& levels) {
    for (const std::size_t place : sorted_places_) {
        lowest_[place] = kNone;
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const std::size_t place : sorted_places_) {
            Vertex lowest = lowest_[place];
            for (const Asked asked : asked_at(place)) {
                const Vertex other =
                    asked.is_escape ? asked.vertex : lowest_[place_of(asked.vertex)];
                const bool counts = other != kNone && !ends_[other].is_ejection;
                if (counts && (lowest == kNone || levels[other] < levels[lowest])) {
                    lowest = other;
                }
            }
            has_changed = has_changed || lowest != lowest_[place];
            lowest_[place] = lowest;
        }
    }
}

std::optional<Vertex> WaysOfMessages::escape_behind(Vertex holding) {
    for (const Asked asked : asked_behind(holding)) {
        if (asked.is_escape) {
            return asked.vertex;
        }
    }
    return std::nullopt;
}

// By escapes alone, from wherever a message can be.
std::optional<Vertex> WaysOfMessages::stuck_by_escapes() {
    for (const Vertex from : reached_) {
        way_.clear();
        Vertex holding = from;
        while (leads_there_[holding] != stamp_ && way_.size() <= ends_.size()) {
            way_.push_back(holding);
            if (ends_[holding].is_ejection) {
                leads_there_[holding] = ends_[holding].node == destination_ ? stamp_ : 0;
                break;
            }
            const std::optional<Vertex> escape = escape_behind(holding);
            if (!escape) {
                break;
            }
            holding = *escape;
        }
        if (leads_there_[holding] != stamp_) {
            return way_.back();
        }
        for (const Vertex vertex : way_) {
            leads_there_[vertex] = stamp_;
        }
    }
    return std::nullopt;
}

}  // namespace

ChannelDependencies::ChannelDependencies(const Routing& routing, Of of)
    : routing_(routing), channels_(routing.topology()) {
    WaysOfMessages ways(routing, channels_, of);
    const auto for_all = [&routing](const auto& of_destination) {
        for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
            for (int lot = 0; lot < routing.lots(); ++lot) {
                of_destination(node, lot);
            }
        }
    };
    for_all([&](std::size_t node, int lot) {
        if (const auto stuck = ways.go_to(node, lot)) {
            stuck_at_ = name(*stuck) + " to node " + std::to_string(node);
        }
    });
    has_choice_ = ways.has_choice() || routing.lots() > 1;
    make_graph(ways.dependencies().edges());
    if (!ways.has_escape() || !is_acyclic()) {
        return;
    }
    using Order = WaysOfMessages::Order;
    Levels levels(ways.dependencies());
    for (Order order = Order::kWasRaised; order == Order::kWasRaised;) {
        order = Order::kHolds;
        for_all([&](std::size_t node, int lot) {
            if (order != Order::kHasCircle) {
                order = std::max(order, ways.order_escapes(node, lot, levels));
            }
        });
    }
    make_graph(ways.dependencies().edges());
}

void ChannelDependencies::make_graph(const std::vector<Edge>& edges) {
    graph_ = Graph(boost::edges_are_sorted, edges.begin(), edges.end(),
                   channels_.count() * static_cast<std::size_t>(routing_.virtual_channels()));
}

bool ChannelDependencies::is_acyclic() const {
    std::vector<std::size_t> order;
    try {
        boost::topological_sort(graph_, std::back_inserter(order));
    } catch (const boost::not_a_dag&) {
        return false;
    }
    return true;
}

std::vector<std::string> ChannelDependencies::cycle() const {
    std::vector<std::size_t> component(num_vertices(graph_));
    boost::strong_components(graph_, boost::make_iterator_property_map(
                                         component.begin(), get(boost::vertex_index, graph_)));
    for (const auto edge : boost::make_iterator_range(edges(graph_))) {
        const std::size_t first = source(edge, graph_);
        const std::size_t second = target(edge, graph_);
        if (component[first] != component[second]) {
            continue;
        }
        // The way back from the second to the first; it exists, as they are in one component.
        std::vector<std::size_t> before(num_vertices(graph_), second);
        boost::breadth_first_search(
            graph_, second,
            boost::visitor(boost::make_bfs_visitor(
                boost::record_predecessors(before.data(), boost::on_tree_edge()))));
        std::vector<std::string> names{name(first)};
        for (std::size_t at = first; at != second; at = before[at]) {
            names.push_back(name(before[at]));
        }
        std::reverse(names.begin(), names.end());
        return names;
    }
    return {};
}

std::string ChannelDependencies::name(std::size_t vertex) const {
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    const std::string channel =
        routing_.topology().channel_name(channels_.channel(vertex / virtual_channels));
    return virtual_channels == 1
               ? channel
               : channel + " virtual channel " + std::to_string(vertex % virtual_channels);
}

std::unordered_map<std::string, std::size_t> ChannelDependencies::vertices_by_name() const {
    const Topology& topology = routing_.topology();
    const auto virtual_channels = static_cast<std::size_t>(routing_.virtual_channels());
    std::unordered_map<std::string, std::size_t> vertices;
    for (std::size_t vertex = 0; vertex < num_vertices(graph_); ++vertex) {
        const std::size_t number = vertex / virtual_channels;
        const Channel channel = channels_.channel(number);
        const bool is_nodes = topology.is_injection(channel) || topology.is_ejection(channel);
        const std::size_t first_lane = number * virtual_channels;
        vertices.emplace(name(vertex), is_nodes ? first_lane : vertex);
        if (is_nodes) {
            vertices.emplace(topology.channel_name(channel), first_lane);
        }
    }
    return vertices;
}

}  // namespace weir::network
