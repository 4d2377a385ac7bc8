#include "network/routing/turn_model_routing.h"

#include <cassert>
#include <cstdlib>

#include "network/network_parameters.h"
#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

namespace weir::network {

namespace {

// Way of a message from its present router to its destination.
struct Way {
    std::int32_t x = 0;  // hops to the east; negative: to the west
    std::int32_t y = 0;  // hops to the south; negative: to the north
    std::int32_t column = 0;
    bool came_from_west = false;
};
// Dimensions in which the next hop may be.
struct Allowed {
    bool x = true;
    bool y = true;
};
using Rule = Allowed (*)(const Way& way);

Allowed west_first(const Way& way) { return {true, way.x >= 0}; }

Allowed north_last(const Way& way) { return {true, way.y >= 0 || way.x == 0}; }

Allowed negative_first(const Way& way) {
    return {way.x < 0 || way.y >= 0, way.y < 0 || way.x >= 0};
}

Allowed odd_even(const Way& way) {
    const bool is_odd = way.column % 2 != 0;
    if (way.x < 0) {
        return {true, !is_odd};
    }
    // A message that ends in an even column must not turn there, so it turns in the column before.
    const bool may_go_east = way.y == 0 || way.x != 1 || !is_odd;
    return {may_go_east, is_odd || !way.came_from_west || way.x == 0};
}

class TurnModelRouting final : public Routing {
  public:
    TurnModelRouting(const Topology& mesh, Rule rule, bool looks_at_input)
        : Routing(mesh), rule_(rule), looks_at_input_(looks_at_input), places_(mesh.graph()) {
        assert(mesh.lattice() && !mesh.lattice()->is_end_around && places_.dimensions() == 2);
    }

    [[nodiscard]] bool looks_at_input() const override { return looks_at_input_; }
    // Destination classes: west, here, one hop east or farther east; and north, here or south.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return 12;
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const Way way = way_to(vertex, destination);
        const std::size_t x = way.x < 0 ? 0 : way.x < 2 ? 1 + way.x : 3;
        const std::size_t y = way.y < 0 ? 0 : way.y == 0 ? 1 : 2;
        return 3 * x + y;
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        const Way way = way_to(vertex, destination);
        return std::abs(way.x) + std::abs(way.y);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        Way way = way_to(place.vertex, destination);
        if (way.x == 0 && way.y == 0) {
            outputs.push_back({static_cast<int>(lattice_port(2, true)), 0});
            return;
        }
        way.came_from_west = place.input_port == static_cast<int>(lattice_port(0, false));
        const Allowed allowed = rule_(way);
        if (way.x != 0 && allowed.x) {
            outputs.push_back({static_cast<int>(lattice_port(0, way.x > 0)), 0});
        }
        if (way.y != 0 && allowed.y) {
            outputs.push_back({static_cast<int>(lattice_port(1, way.y > 0)), 0});
        }
    }

  private:
    [[nodiscard]] Way way_to(std::size_t vertex, std::size_t destination) const {
        const std::uint16_t* const here = places_.of(vertex);
        const std::uint16_t* const there = places_.of(destination);
        return {there[0] - here[0], there[1] - here[1], here[0]};
    }

    Rule rule_;
    bool looks_at_input_;
    LatticePlaces places_;
};

template <std::unique_ptr<Routing> (*route)(const Topology&)>
std::unique_ptr<Routing> make_turn_model(const Topology& topology,
                                         const NetworkParameters& /*parameters*/) {
    return route(topology);
}

RoutingTraits turn_model_traits() { return {.fault = fault_unless_two_dimensions}; }

}  // namespace

std::optional<hw::Fault> fault_unless_two_dimensions(const NetworkParameters& parameters) {
    if (parameters.extents().size() == 2) {
        return std::nullopt;
    }
    return hw::Fault{
        "routing",
        "is \"" + parameters.routing.value()->name() + "\", which needs a mesh of two dimensions",
        "two extents in network.dimensions, or another network.routing",
        {}};
}

std::unique_ptr<Routing> west_first_routing(const Topology& mesh) {
    return std::make_unique<TurnModelRouting>(mesh, west_first, false);
}

std::unique_ptr<Routing> north_last_routing(const Topology& mesh) {
    return std::make_unique<TurnModelRouting>(mesh, north_last, false);
}

std::unique_ptr<Routing> negative_first_routing(const Topology& mesh) {
    return std::make_unique<TurnModelRouting>(mesh, negative_first, false);
}

std::unique_ptr<Routing> odd_even_routing(const Topology& mesh) {
    return std::make_unique<TurnModelRouting>(mesh, odd_even, true);
}

const RoutingKind& west_first_routing_kind() {
    static const RoutingKind kind{"west_first", "turn model: hops to -x first (Glass and Ni 1992)",
                                  is_mesh_family, make_turn_model<west_first_routing>,
                                  turn_model_traits()};
    return kind;
}

const RoutingKind& north_last_routing_kind() {
    static const RoutingKind kind{"north_last", "turn model: hops to -y last (Glass and Ni 1992)",
                                  is_mesh_family, make_turn_model<north_last_routing>,
                                  turn_model_traits()};
    return kind;
}

const RoutingKind& negative_first_routing_kind() {
    static const RoutingKind kind{
        "negative_first", "turn model: hops to -x and -y first (Glass and Ni 1992)", is_mesh_family,
        make_turn_model<negative_first_routing>, turn_model_traits()};
    return kind;
}

const RoutingKind& odd_even_routing_kind() {
    static const RoutingKind kind{
        "odd_even", "turn model: turns depend on odd and even columns (Chiu 2000)", is_mesh_family,
        make_turn_model<odd_even_routing>, turn_model_traits()};
    return kind;
}

}  // namespace weir::network
