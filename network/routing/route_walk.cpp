#include "network/routing/route_walk.h"

#include <algorithm>

namespace weir::network {

RouteWalk::RouteWalk(const Routing& routing, const ChannelIndex& channels, bool only_escapes)
    : routing_(routing),
      channels_(channels),
      virtual_channels_(routing.virtual_channels()),
      looks_at_input_(routing.looks_at_input()),
      has_escape_(routing.has_escape() && only_escapes),
      dependencies_(channels.count() * routing.virtual_channels()) {
    const Topology& topology = routing.topology();
    const TopologyGraph& graph = topology.graph();
    for (std::size_t number = 0; number < channels.count(); ++number) {
        const Channel channel = channels.channel(number);
        if (topology.is_injection(channel)) {  // virtual channel 0, the only one that a node uses
            injections_.emplace_back(source(channel, graph) - topology.switch_count(),
                                     static_cast<Vertex>(ends_.size()));
        }
        for (int vc = 0; vc < routing.virtual_channels(); ++vc) {
            End& end = ends_.emplace_back();
            end.place = {target(channel, graph), graph[channel].input_port, vc};
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
    std::size_t most_classes = 0;
    for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
        most_classes = std::max(most_classes, routing.message_classes(vertex));
    }
    if (kFew * most_classes <= topology.node_count() * static_cast<std::size_t>(routing.lots())) {
        few_classes_ = most_classes;
        known_.resize(asked_at_.size() * few_classes_);
        is_added_.resize(ends_.size() * few_classes_, false);
    }
}

std::span<const RouteWalk::Asked> RouteWalk::asked_behind(Vertex holding) {
    const std::size_t place = place_of(holding);
    if (!has_asked_at(place)) {
        places_.push_back(place);
        AskedAt& at = asked_at_[place];
        at.stamp = stamp_;
        if (few_classes_ == 0) {
            at.part = ask_routing(holding);
        } else {
            at.message_class = class_behind(holding);
            AskedPart& known = known_[place * few_classes_ + at.message_class];
            if (known.end == 0) {
                known = ask_routing(holding);
            }
            at.part = known;
        }
    }
    return asked_at(place);
}

RouteWalk::AskedPart RouteWalk::ask_routing(Vertex holding) {
    HeaderPlace place = ends_[holding].place;
    place.lot = lot_;
    AskedPart part;
    part.first = static_cast<std::uint32_t>(all_asked_.size());
    outputs_.clear();
    routing_.add_outputs(place, destination_, outputs_);
    for (const RoutedOutput& output : outputs_) {
        const std::size_t vertex =
            channels_.at_output(place.vertex, output.port) * virtual_channels_ +
            output.virtual_channel;
        // An ejection counts as an escape, since nothing follows it.
        all_asked_.push_back(
            {static_cast<Vertex>(vertex), output.is_escape || ends_[vertex].is_ejection});
    }
    part.end = static_cast<std::uint32_t>(all_asked_.size());
    return part;
}

// True if all outputs after the injection lead to nodes.
bool RouteWalk::turns_back(Vertex injection) {
    const std::span<const Asked> asked = asked_behind(injection);
    return std::all_of(asked.begin(), asked.end(),
                       [this](Asked next) { return ends_[next.vertex].is_ejection; });
}

void RouteWalk::see(Vertex vertex) {
    if (seen_[vertex] != stamp_) {
        seen_[vertex] = stamp_;
        reached_.push_back(vertex);
    }
}

void RouteWalk::see_all_behind(Vertex holding) {
    const std::span<const Asked> all_asked = asked_behind(holding);
    has_choice_ = has_choice_ || all_asked.size() > 1;
    for (const Asked asked : all_asked) {
        see(asked.vertex);
    }
}

// Visits all virtual channels that messages to the destination can reach from all nodes'
// injections. A message to its own sender counts unless it turns back at the first switch; in a
// butterfly, it does not turn back.
void RouteWalk::reach(std::size_t destination, int lot) {
    destination_ = destination;
    lot_ = lot;
    ++stamp_;
    places_.clear();
    reached_.clear();
    if (few_classes_ == 0) {
        all_asked_.clear();
    }
    std::size_t next = 0;
    const auto go_on = [&] {
        while (next < reached_.size()) {  // see_all_behind() appends to the list
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

std::optional<RouteWalk::Vertex> RouteWalk::go_to(std::size_t destination, int lot) {
    reach(destination, lot);
    for (const Vertex holding : reached_) {
        if (has_dependencies(holding)) {
            add_dependencies_of(holding);
        }
    }
    return has_escape_ ? stuck_by_escapes() : std::nullopt;
}

void RouteWalk::add_dependencies_of(Vertex holding) {
    const std::size_t place = place_of(holding);
    if (few_classes_ > 0) {
        std::vector<bool>::reference is_added =
            is_added_[holding * few_classes_ + asked_at_[place].message_class];
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

void RouteWalk::mark_escapes() {
    for (const std::size_t place : places_) {
        for (const Asked asked : asked_at(place)) {
            if (asked.is_escape) {
                is_escape_[asked.vertex] = stamp_;
            }
        }
    }
}

// An escape channel depends on all escape channels requested after it, directly or after other
// channels. Large networks have millions of these dependencies. It is enough that the lowest of
// them is on a higher level than the channel.
RouteWalk::Order RouteWalk::order_escapes(std::size_t destination, int lot, Levels& levels) {
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

// Sorts places_ into sorted_places_ by depth-first search.
void RouteWalk::sort_places() {
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

// Computes lowest_ by passes over all places until nothing changes. If the routes without escapes
// are acyclic, the first pass finds all values.
void RouteWalk::find_lowest(const Levels& levels) {
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

std::optional<RouteWalk::Vertex> RouteWalk::escape_behind(Vertex holding) {
    for (const Asked asked : asked_behind(holding)) {
        if (asked.is_escape) {
            return asked.vertex;
        }
    }
    return std::nullopt;
}

// Checks that the escape channels alone lead to the destination from each reached virtual channel.
std::optional<RouteWalk::Vertex> RouteWalk::stuck_by_escapes() {
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

}  // namespace weir::network
