#include <algorithm>
#include <stdexcept>
#include <string>

#include "network/network_parameters.h"
#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"
#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"
#include "network/topology/topology_family.h"

// Minimal adaptive routing, and routing spread over more virtual channels.
namespace weir::network {

namespace {

class MinimalAdaptiveRouting final : public Routing {
  public:
    MinimalAdaptiveRouting(std::unique_ptr<Routing> escape, int virtual_channels, EscapeRules rules)
        : Routing(escape->topology()),
          escape_(std::move(escape)),
          virtual_channels_(virtual_channels),
          rules_(rules),
          lattice_(*topology().lattice()),
          places_(topology().graph()),
          all_directions_(std::size_t{1} << (kDirectionBits * places_.dimensions())) {}

    [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
    [[nodiscard]] int lots() const override { return escape_->lots(); }
    [[nodiscard]] bool looks_at_input() const override { return !rules_.may_leave; }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return escape_->hops_to(vertex, destination);
    }
    [[nodiscard]] bool has_escape() const override { return !rules_.share_buffers; }
    // Destination classes of the escape routing, combined with the productive directions in all
    // dimensions. If these classes are more than the nodes, as in a hypercube, each destination is
    // a class.
    [[nodiscard]] std::size_t destination_classes(std::size_t vertex) const override {
        return std::min(escape_->destination_classes(vertex) * all_directions_,
                        topology().node_count());
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        if (destination_classes(vertex) == topology().node_count()) {
            return destination;
        }
        std::size_t destination_class = escape_->destination_class(vertex, destination);
        for (std::size_t d = 0; d < places_.dimensions(); ++d) {
            destination_class =
                destination_class << kDirectionBits | directions(d, vertex, destination);
        }
        return destination_class;
    }
    // As in the base class, without its virtual calls: routers look it up for each header.
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        return destination_class(vertex, destination) * static_cast<std::size_t>(lots()) +
               static_cast<std::size_t>(lot);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto first = static_cast<std::ptrdiff_t>(outputs.size());
        escape_->add_outputs(place, destination, outputs);
        if (place.vertex == destination) {
            return;
        }
        for (auto output = outputs.begin() + first; output != outputs.end(); ++output) {
            output->is_escape = true;
        }
        if (!rules_.may_leave && is_escape(place)) {
            return;
        }
        for (std::size_t d = 0; d < places_.dimensions(); ++d) {
            const std::size_t shorter = directions(d, place.vertex, destination);
            const int port = lattice_.ports_a_dimension * static_cast<int>(d);
            if ((shorter & kUp) != 0) {
                add_vcs(port, outputs);
            }
            if ((shorter & kDown) != 0) {
                add_vcs(port + 1, outputs);
            }
        }
    }

  private:
    static constexpr std::size_t kUp = 1;
    static constexpr std::size_t kDown = 2;
    static constexpr std::size_t kDirectionBits = 2;

    // True if the header arrived on an escape channel. The last port is the node's, whose virtual
    // channels are no escapes.
    [[nodiscard]] bool is_escape(const HeaderPlace& place) const {
        const auto node_port =
            lattice_.ports_a_dimension * static_cast<int>(lattice_.extents.size());
        return place.input_port < node_port && place.virtual_channel < escape_->virtual_channels();
    }
    // Set of productive directions in the dimension: both directions if the destination is halfway
    // around a ring. With two routers in the dimension the only direction is up.
    [[nodiscard]] std::size_t directions(std::size_t dimension, std::size_t vertex,
                                         std::size_t destination) const {
        const std::int32_t here = places_.of(vertex)[dimension];
        const std::int32_t there = places_.of(destination)[dimension];
        if (here == there) {
            return 0;
        }
        if (lattice_.ports_a_dimension == 1) {
            return kUp;
        }
        if (!lattice_.is_end_around) {
            return there > here ? kUp : kDown;
        }
        const std::int32_t extent = lattice_.extents[dimension];
        const std::int32_t upwards = there > here ? there - here : there - here + extent;
        return (2 * upwards <= extent ? kUp : 0) | (2 * upwards >= extent ? kDown : 0);
    }
    // Adds the virtual channels that are no escape channels; the escape channels have the lowest
    // numbers.
    void add_vcs(int port, std::vector<RoutedOutput>& outputs) const {
        for (int vc = escape_->virtual_channels(); vc < virtual_channels_; ++vc) {
            outputs.push_back({port, vc});
        }
    }

    std::unique_ptr<Routing> escape_;
    int virtual_channels_;
    EscapeRules rules_;
    Lattice lattice_;
    LatticePlaces places_;
    std::size_t all_directions_;
};

class SpreadRouting final : public Routing {
  public:
    SpreadRouting(std::shared_ptr<const Routing> routing, int virtual_channels)
        : Routing(routing->topology()),
          routing_(std::move(routing)),
          share_(virtual_channels / routing_->virtual_channels()) {}

    [[nodiscard]] int virtual_channels() const override {
        return share_ * routing_->virtual_channels();
    }
    [[nodiscard]] int lots() const override { return routing_->lots(); }
    [[nodiscard]] std::size_t lots_between(std::size_t source,
                                           std::size_t destination) const override {
        return routing_->lots_between(source, destination);
    }
    [[nodiscard]] int lot_between(std::size_t source, std::size_t destination,
                                  std::size_t number) const override {
        return routing_->lot_between(source, destination, number);
    }
    [[nodiscard]] bool has_equal_routes() const override { return routing_->has_equal_routes(); }
    [[nodiscard]] bool chooses_by_queues() const override { return routing_->chooses_by_queues(); }
    [[nodiscard]] std::optional<RouteChoice> choice_at(std::size_t vertex, std::size_t destination,
                                                       int lot) const override {
        return routing_->choice_at(vertex, destination, lot);
    }
    [[nodiscard]] bool looks_at_input() const override { return routing_->looks_at_input(); }
    [[nodiscard]] std::size_t destination_classes(std::size_t vertex) const override {
        return routing_->destination_classes(vertex);
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        return routing_->destination_class(vertex, destination);
    }
    [[nodiscard]] std::size_t message_classes(std::size_t vertex) const override {
        return routing_->message_classes(vertex);
    }
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        return routing_->message_class(vertex, destination, lot);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return routing_->hops_to(vertex, destination);
    }
    [[nodiscard]] std::span<const std::size_t> dimension_order() const override {
        return routing_->dimension_order();
    }
    [[nodiscard]] std::unique_ptr<Routing> on_ring(const Topology& ring) const override {
        return std::make_unique<SpreadRouting>(routing_->on_ring(ring), virtual_channels());
    }
    [[nodiscard]] std::shared_ptr<const Routing> of_all_lots() const override {
        return spread(routing_->of_all_lots());
    }
    [[nodiscard]] std::shared_ptr<const Routing> of_a_phase() const override {
        return spread(routing_->of_a_phase());
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        HeaderPlace own_place = place;
        own_place.virtual_channel /= share_;
        const std::size_t first = outputs.size();
        routing_->add_outputs(own_place, destination, outputs);
        // Replaces each output by `share` outputs in place, from the last one to the first.
        const std::size_t share = share_;
        std::size_t left = outputs.size() - first;
        outputs.resize(first + left * share);
        while (left-- > 0) {
            const RoutedOutput output = outputs[first + left];
            for (std::size_t vc = 0; vc < share; ++vc) {
                outputs[first + left * share + vc] = {
                    output.port, output.virtual_channel * share_ + static_cast<int>(vc)};
            }
        }
    }

  private:
    // The same share of virtual channels for another routing; null for none.
    [[nodiscard]] std::shared_ptr<const Routing> spread(
        const std::shared_ptr<const Routing>& routing) const {
        return routing
                   ? std::make_shared<SpreadRouting>(routing, share_ * routing->virtual_channels())
                   : nullptr;
    }

    std::shared_ptr<const Routing> routing_;
    int share_;
};

}  // namespace

std::unique_ptr<Routing> minimal_adaptive_routing(std::unique_ptr<Routing> escape,
                                                  int virtual_channels, EscapeRules rules) {
    if (!escape->topology().lattice()) {
        throw std::invalid_argument("minimal adaptive routing on a " + escape->topology().title() +
                                    "; accepted: a " +
                                    topologies_that([](const TopologyFamily& family) {
                                        return minimal_adaptive_routing_kind().routes(family);
                                    }));
    }
    if (escape->looks_at_input()) {
        throw std::invalid_argument(
            "minimal adaptive routing with an escape routing that depends on the input port; "
            "accepted: "
            "an escape routing that depends on the switch and destination only");
    }
    if (escape->has_escape() || virtual_channels <= escape->virtual_channels()) {
        throw std::invalid_argument("minimal adaptive routing with " +
                                    std::to_string(virtual_channels) + " virtual channels, " +
                                    std::to_string(escape->virtual_channels()) +
                                    " of them escape channels; accepted: more virtual channels "
                                    "than escape channels, and an "
                                    "escape routing without escape channels of its own");
    }
    return std::make_unique<MinimalAdaptiveRouting>(std::move(escape), virtual_channels, rules);
}

const RoutingKind& minimal_adaptive_routing_kind() {
    static const RoutingKind kind{
        "minimal_adaptive",
        "any shortest path, with escape channels (Duato 1993)",
        [](const TopologyFamily& family) {
            return &family == &mesh_family() || &family == &torus_family() ||
                   &family == &hypercube_family();
        },
        [](const Topology& topology, const NetworkParameters& parameters) {
            auto escape = topology.family().default_routing(topology, parameters);
            const auto given = static_cast<int>(parameters.virtual_channels.value());
            const int needed = escape->virtual_channels() + 1;
            return minimal_adaptive_routing(std::move(escape), given == 0 ? needed : given,
                                            parameters.escape_rules());
        },
        {.reads = {"routing_order", "ring_ties", "escapes_last", "leave_escapes"},
         .channel_classes = [](const TopologyFamily& family) { return family.channel_classes(); },
         .has_escapes = true}};
    return kind;
}

std::unique_ptr<Routing> spread_over(std::unique_ptr<Routing> routing, int virtual_channels) {
    const int own = routing->virtual_channels();
    if (routing->has_escape() || virtual_channels < own || virtual_channels % own != 0) {
        throw std::invalid_argument(
            "a routing of " + std::to_string(own) + " virtual channel" + (own == 1 ? "" : "s") +
            " spread over " + std::to_string(virtual_channels) +
            "; accepted: a multiple, and a routing without escape channels");
    }
    return std::make_unique<SpreadRouting>(std::move(routing), virtual_channels);
}

}  // namespace weir::network
