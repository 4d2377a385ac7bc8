#include "network/routing/o1turn_routing.h"

#include <array>
#include <cassert>

#include "network/network_parameters.h"
#include "network/routing/turn_model_routing.h"
#include "network/topology/lattice.h"

namespace weir::network {

namespace {

class O1TurnRouting final : public Routing {
  public:
    O1TurnRouting(const Topology& mesh, int virtual_channels)
        : Routing(mesh),
          virtual_channels_(virtual_channels),
          orders_{dimension_order_routing(mesh, {0, 1}), dimension_order_routing(mesh, {1, 0})} {
        assert(mesh.lattice()->extents.size() == 2);
    }

    [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
    [[nodiscard]] int lots() const override { return static_cast<int>(orders_.size()); }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: a pair of those of both orders.
    [[nodiscard]] std::size_t destination_classes(std::size_t vertex) const override {
        return orders_[0]->destination_classes(vertex) * orders_[1]->destination_classes(vertex);
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        return orders_[0]->destination_class(vertex, destination) *
                   orders_[1]->destination_classes(vertex) +
               orders_[1]->destination_class(vertex, destination);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return orders_[0]->hops_to(vertex, destination);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        orders_[place.lot]->add_outputs(place, destination, outputs);
        if (place.vertex != destination) {
            outputs.back().virtual_channel = place.lot * (virtual_channels_ - 1);
        }
    }

  private:
    int virtual_channels_;
    std::array<std::unique_ptr<Routing>, 2> orders_;
};

}  // namespace

std::unique_ptr<Routing> o1turn_routing(const Topology& mesh, int virtual_channels) {
    return std::make_unique<O1TurnRouting>(mesh, virtual_channels);
}

const RoutingKind& o1turn_routing_kind() {
    static const RoutingKind kind{
        "o1turn",
        "dimension order, x or y first by lot (Seo et al. 2005)",
        is_mesh_family,
        [](const Topology& topology, const NetworkParameters& parameters) {
            return o1turn_routing(topology, parameters.virtual_channels.value() == 1 ? 1 : 2);
        },
        {.fault = fault_unless_two_dimensions,
         .channel_classes = [](const TopologyFamily& /*family*/) {
             return ChannelClasses{2,
                                   "O1TURN has two classes of virtual channels of equal size, for "
                                   "its two orders of the dimensions"};
         }}};
    return kind;
}

}  // namespace weir::network
