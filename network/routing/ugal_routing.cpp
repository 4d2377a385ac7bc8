#include "network/routing/ugal_routing.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <vector>

#include "network/network_parameters.h"
#include "network/topology/dragonfly.h"

namespace weir::network {

namespace {

using Place = DragonflyPlaces::Place;

constexpr int kPhases = 3;
constexpr int kToRandomGroup = 0;
constexpr int kToDestination = 1;
constexpr int kInLastGroup = 2;

// Class of a destination at a router: a node there, another router of the group, or another group.
std::int32_t class_of(const DragonflyPlaces& places, const Place& here, const Place& there) {
    const DragonflyShape& shape = places.shape();
    if (here.group != there.group) {
        return shape.terminals + shape.routers + there.group;
    }
    return here.router == there.router ? there.terminal : shape.terminals + there.router;
}

std::int32_t classes_of(const DragonflyPlaces& places) {
    const DragonflyShape& shape = places.shape();
    return shape.terminals + shape.routers + shape.groups;
}

// Output to a node of the router's own group.
RoutedOutput output_in_group(const DragonflyPlaces& places, const Place& here, const Place& there) {
    return {places.port_to_node(here, there), here.router == there.router ? 0 : kInLastGroup};
}

// The routes of all lots together. The virtual channel and the kind of the channel by which a
// header arrived tell its phase.
class AllUgalRoutes final : public Routing {
  public:
    explicit AllUgalRoutes(const Topology& dragonfly) : Routing(dragonfly), places_(dragonfly) {}

    [[nodiscard]] int virtual_channels() const override { return kPhases; }
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return classes_of(places_);
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        return class_of(places_, places_.of_router(vertex), places_.of_node(destination));
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const Place& here = places_.of_router(place.vertex);
        const Place& there = places_.of_node(destination);
        if (here.group == there.group) {
            outputs.push_back(output_in_group(places_, here, there));
            return;
        }
        const bool is_injected = place.input_port < places_.shape().terminals;
        const bool is_before_random_group =
            !is_injected && place.virtual_channel == 0 && !places_.is_global(place.input_port);
        if (!is_before_random_group) {
            outputs.push_back({places_.port_to_group(here, there.group), kToDestination});
        }
        if (is_injected || is_before_random_group) {
            add_ways_to_random_groups(here, is_injected, outputs);
        }
    }

  private:
    // Adds the ports to all other groups; behind a local channel only the global ones.
    void add_ways_to_random_groups(const Place& here, bool is_injected,
                                   std::vector<RoutedOutput>& outputs) const {
        std::vector<bool> is_added(places_.shape().terminals + places_.shape().routers +
                                   places_.shape().global_channels());
        for (std::int32_t group = 0; group < places_.shape().groups; ++group) {
            if (group == here.group) {
                continue;
            }
            const int port = places_.port_to_group(here, group);
            if ((is_injected || places_.is_global(port)) && !is_added[port]) {
                is_added[port] = true;
                outputs.push_back({port, kToRandomGroup});
            }
        }
    }

    DragonflyPlaces places_;
};

class UgalRouting final : public Routing {
  public:
    UgalRouting(const Topology& dragonfly, std::int64_t threshold_flits)
        : Routing(dragonfly), places_(dragonfly), threshold_flits_(threshold_flits) {}

    [[nodiscard]] int virtual_channels() const override { return kPhases; }
    [[nodiscard]] int lots() const override { return places_.shape().groups; }
    // Lots: the groups of neither the source nor the destination. Messages within a group have only
    // the minimal route's lot, and all messages if there is no third group.
    [[nodiscard]] std::size_t lots_between(std::size_t source,
                                           std::size_t destination) const override {
        return has_choice(places_.of_node(source).group, places_.of_node(destination).group)
                   ? places_.shape().groups - 2
                   : 1;
    }
    [[nodiscard]] int lot_between(std::size_t source, std::size_t destination,
                                  std::size_t number) const override {
        const std::int32_t from = places_.of_node(source).group;
        const std::int32_t to = places_.of_node(destination).group;
        if (!has_choice(from, to)) {
            return from;
        }
        auto group = static_cast<std::int32_t>(number);
        group += group >= std::min(from, to) ? 1 : 0;
        group += group >= std::max(from, to) ? 1 : 0;
        return group;
    }
    [[nodiscard]] bool has_equal_routes() const override { return false; }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] std::shared_ptr<const Routing> of_all_lots() const override {
        return std::make_shared<AllUgalRoutes>(topology());
    }
    // Message classes: those of minimal routing, and the random groups.
    [[nodiscard]] std::size_t message_classes(std::size_t /*vertex*/) const override {
        return classes_of(places_) + places_.shape().groups;
    }
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        const Place& here = places_.of_router(vertex);
        const Place& there = places_.of_node(destination);
        const bool goes_to_random_group = here.group != there.group && here.group != lot;
        return goes_to_random_group ? classes_of(places_) + lot : class_of(places_, here, there);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const Place& here = places_.of_router(place.vertex);
        const Place& there = places_.of_node(destination);
        if (here.group == there.group) {
            outputs.push_back(output_in_group(places_, here, there));
            return;
        }
        const bool is_past_random_group = here.group == place.lot;
        outputs.push_back(
            {places_.port_to_group(here, is_past_random_group ? there.group : place.lot),
             is_past_random_group ? kToDestination : kToRandomGroup});
    }

    [[nodiscard]] bool chooses_by_queues() const override { return true; }
    [[nodiscard]] std::optional<RouteChoice> choice_at(std::size_t vertex, std::size_t destination,
                                                       int lot) const override {
        const Place& here = places_.of_router(vertex);
        const Place& there = places_.of_node(destination);
        if (here.group == there.group || here.group == lot) {
            return std::nullopt;
        }
        return RouteChoice{
            {here.group, places_.port_to_group(here, there.group),
             hops(here, there.group) + hops_at_end(here.group, there)},
            {lot, places_.port_to_group(here, lot),
             hops(here, lot) + hops(entry(here.group, lot), there.group) + hops_at_end(lot, there)},
            threshold_flits_};
    }

  private:
    [[nodiscard]] bool has_choice(std::int32_t from, std::int32_t to) const {
        return from != to && places_.shape().groups > 2;
    }
    // Hops from a router into another group.
    [[nodiscard]] std::int64_t hops(const Place& here, std::int32_t group) const {
        return here.router == places_.gateway(here.group, group) ? 1 : 2;
    }
    // Router at which a message from one group enters another.
    [[nodiscard]] Place entry(std::int32_t from, std::int32_t into) const {
        return {into, places_.gateway(into, from), 0};
    }
    [[nodiscard]] std::int64_t hops_at_end(std::int32_t from, const Place& there) const {
        return entry(from, there.group).router == there.router ? 0 : 1;
    }

    DragonflyPlaces places_;
    std::int64_t threshold_flits_;
};

}  // namespace

std::unique_ptr<Routing> ugal_routing(const Topology& dragonfly, std::int64_t threshold_flits) {
    assert(&dragonfly.family() == &dragonfly_family());
    return std::make_unique<UgalRouting>(dragonfly, threshold_flits);
}

const RoutingKind& ugal_routing_kind() {
    static const RoutingKind kind{
        "ugal",
        "minimal or by a random group, by the queues at the message's first router (UGAL-L: Singh "
        "2005, Kim et al. 2008)",
        [](const TopologyFamily& family) { return &family == &dragonfly_family(); },
        [](const Topology& topology, const NetworkParameters& parameters) {
            return ugal_routing(topology, parameters.ugal_threshold_flits.value().count());
        },
        {.reads = {"ugal_threshold_flits"},
         .channel_classes =
             [](const TopologyFamily& /*family*/) {
                 return ChannelClasses{kPhases,
                                       "UGAL on a dragonfly has three classes of virtual channels "
                                       "of equal size, one for each phase of a route",
                                       false};
             },
         .chooses_by_queues = true}};
    return kind;
}

}  // namespace weir::network
