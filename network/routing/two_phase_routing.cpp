#include "network/routing/two_phase_routing.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cassert>
#include <cstdint>
#include <utility>

#include "network/network_parameters.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

namespace weir::network {

namespace {

class TwoPhaseRouting : public Routing {
  public:
    explicit TwoPhaseRouting(std::shared_ptr<const Routing> phase)
        : Routing(phase->topology()), phase_(std::move(phase)) {
        const TopologyGraph& graph = topology().graph();
        for (std::size_t node = 0; node < topology().node_count(); ++node) {
            const Channel injection = *out_edges(topology().vertex_of_node(node), graph).first;
            ends_.push_back({static_cast<std::uint32_t>(target(injection, graph)),
                             graph[injection].input_port});
        }
    }

    [[nodiscard]] int virtual_channels() const override { return 2 * phase_->virtual_channels(); }
    [[nodiscard]] int lots() const override { return static_cast<int>(ends_.size()); }
    [[nodiscard]] std::size_t destination_classes(std::size_t vertex) const override {
        return phase_->destination_classes(vertex);
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        return phase_->destination_class(vertex, destination);
    }
    // Message classes: the classes of the random node, or its being here, with those of the
    // destination.
    [[nodiscard]] std::size_t message_classes(std::size_t vertex) const override {
        const std::size_t classes = phase_->destination_classes(vertex);
        return (classes + 1) * classes;
    }
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        const std::size_t classes = phase_->destination_classes(vertex);
        const std::size_t first =
            ends_[lot].router == vertex ? classes : phase_->destination_class(vertex, lot);
        return first * classes + phase_->destination_class(vertex, destination);
    }
    [[nodiscard]] bool has_equal_routes() const override { return false; }
    [[nodiscard]] std::shared_ptr<const Routing> of_a_phase() const override { return phase_; }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const int vcs = phase_->virtual_channels();
        const End& middle = ends_[place.lot];
        HeaderPlace in_phase = place;
        if (place.virtual_channel < vcs && place.vertex != middle.router) {
            phase_->add_outputs(in_phase, place.lot, outputs);
            return;
        }
        if (place.virtual_channel >= vcs) {
            in_phase.virtual_channel -= vcs;
        } else {  // the second phase begins here, as if the message came from the node
            in_phase.input_port = middle.port;
            in_phase.virtual_channel = 0;
        }
        const std::size_t first = outputs.size();
        phase_->add_outputs(in_phase, destination, outputs);
        for (std::size_t i = first; place.vertex != ends_[destination].router && i < outputs.size();
             ++i) {
            outputs[i].virtual_channel += vcs;
        }
    }

  private:
    // Router of a node, and its port for messages from the node.
    struct End {
        std::uint32_t router;
        int port;
    };

    std::shared_ptr<const Routing> phase_;
    std::vector<End> ends_;
};

class RommRouting final : public TwoPhaseRouting {
  public:
    explicit RommRouting(std::shared_ptr<const Routing> phase)
        : TwoPhaseRouting(std::move(phase)), places_(topology().graph()) {
        assert(topology().lattice() && !topology().lattice()->is_end_around);
    }

    [[nodiscard]] std::size_t lots_between(std::size_t source,
                                           std::size_t destination) const override {
        std::size_t nodes = 1;
        for (std::size_t d = 0; d < places_.dimensions(); ++d) {
            nodes *= side(source, destination, d).extent;
        }
        return nodes;
    }
    [[nodiscard]] int lot_between(std::size_t source, std::size_t destination,
                                  std::size_t number) const override {
        std::size_t node = 0;
        std::size_t stride = 1;
        for (std::size_t d = 0; d < places_.dimensions(); ++d) {
            const Side box = side(source, destination, d);
            node += stride * (box.low + number % box.extent);
            number /= box.extent;
            stride *= topology().lattice()->extents[d];
        }
        return static_cast<int>(node);
    }
    [[nodiscard]] bool has_equal_routes() const override { return true; }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return of_a_phase()->hops_to(vertex, destination);
    }

  private:
    struct Side {
        std::size_t low;
        std::size_t extent;
    };
    [[nodiscard]] Side side(std::size_t source, std::size_t destination,
                            std::size_t dimension) const {
        const auto [low, high] =
            std::minmax(places_.of(source)[dimension], places_.of(destination)[dimension]);
        return {low, static_cast<std::size_t>(high - low) + 1};
    }

    LatticePlaces places_;
};

ChannelClasses two_phases(const TopologyFamily& family) {
    return {2 * family.channel_classes().count,
            "routing in two phases has virtual channels of its own for each phase", false};
}

}  // namespace

std::unique_ptr<Routing> valiant_routing(std::shared_ptr<const Routing> phase) {
    return std::make_unique<TwoPhaseRouting>(std::move(phase));
}

std::unique_ptr<Routing> romm_routing(std::shared_ptr<const Routing> phase) {
    return std::make_unique<RommRouting>(std::move(phase));
}

const RoutingKind& valiant_routing_kind() {
    static const RoutingKind kind{
        "valiant",
        "first to a random node, then to the destination (Valiant and Brebner 1981)",
        [](const TopologyFamily& family) {
            return &family != &butterfly_family() && &family != &fat_tree_family() &&
                   &family != &graph_family();
        },
        [](const Topology& topology, const NetworkParameters& parameters) {
            return valiant_routing(own_routing_of_topology(topology, parameters));
        },
        {.reads = {"routing_order", "ring_classes", "ring_ties"}, .channel_classes = two_phases}};
    return kind;
}

const RoutingKind& romm_routing_kind() {
    static const RoutingKind kind{
        "romm",
        "first to a random node of the box between source and destination, then to the destination "
        "(Nesson and Johnsson 1995)",
        is_mesh_family,
        [](const Topology& topology, const NetworkParameters& parameters) {
            return romm_routing(own_routing_of_topology(topology, parameters));
        },
        {.reads = {"routing_order"}, .channel_classes = two_phases}};
    return kind;
}

}  // namespace weir::network
