#include "network/routing/planar_adaptive_routing.h"

#include <cassert>
#include <cstdlib>

#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

namespace weir::network {

namespace {

class PlanarAdaptiveRouting final : public Routing {
  public:
    explicit PlanarAdaptiveRouting(const Topology& mesh) : Routing(mesh), places_(mesh.graph()) {
        assert(mesh.lattice() && !mesh.lattice()->is_end_around);
    }

    [[nodiscard]] int virtual_channels() const override { return kFirstOfPlane + 1; }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: the plane, the direction in its first dimension, and the one in its
    // second dimension, or none there; and the node here.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return 1 + 6 * places_.dimensions();
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const std::size_t plane = plane_of(vertex, destination);
        if (plane == places_.dimensions()) {
            return 0;
        }
        const std::int32_t second = distance(vertex, destination, plane + 1);
        return 1 + 6 * plane + (distance(vertex, destination, plane) > 0 ? 3 : 0) +
               (second == 0  ? 0
                : second > 0 ? 1
                             : 2);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        std::int32_t hops = 0;
        for (std::size_t d = 0; d < places_.dimensions(); ++d) {
            hops += std::abs(distance(vertex, destination, d));
        }
        return hops;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const std::size_t plane = plane_of(place.vertex, destination);
        if (plane == places_.dimensions()) {
            outputs.push_back({static_cast<int>(lattice_port(places_.dimensions(), true)), 0});
            return;
        }
        const bool up = distance(place.vertex, destination, plane) > 0;
        outputs.push_back({static_cast<int>(lattice_port(plane, up)), kFirstOfPlane});
        if (const std::int32_t second = distance(place.vertex, destination, plane + 1);
            second != 0) {
            outputs.push_back({static_cast<int>(lattice_port(plane + 1, second > 0)), up ? 0 : 1});
        }
    }

  private:
    static constexpr int kFirstOfPlane = 2;

    // Hops up in the dimension; negative: down. 0 for the dimension after the last one.
    [[nodiscard]] std::int32_t distance(std::size_t vertex, std::size_t destination,
                                        std::size_t dimension) const {
        return dimension == places_.dimensions()
                   ? 0
                   : places_.of(destination)[dimension] - places_.of(vertex)[dimension];
    }
    // First dimension in which hops are left; the number of dimensions if there is none.
    [[nodiscard]] std::size_t plane_of(std::size_t vertex, std::size_t destination) const {
        std::size_t plane = 0;
        while (plane < places_.dimensions() && distance(vertex, destination, plane) == 0) {
            ++plane;
        }
        return plane;
    }

    LatticePlaces places_;
};

}  // namespace

std::unique_ptr<Routing> planar_adaptive_routing(const Topology& mesh) {
    return std::make_unique<PlanarAdaptiveRouting>(mesh);
}

const RoutingKind& planar_adaptive_routing_kind() {
    static const RoutingKind kind{
        "planar_adaptive",
        "adaptive in one plane after the other (Chien and Kim 1992)",
        is_mesh_family,
        [](const Topology& topology, const NetworkParameters& /*parameters*/) {
            return planar_adaptive_routing(topology);
        },
        {.channel_classes = [](const TopologyFamily& /*family*/) {
            return ChannelClasses{
                3,
                "planar-adaptive routing has three classes of virtual channels of "
                "equal size",
                false};
        }}};
    return kind;
}

}  // namespace weir::network
