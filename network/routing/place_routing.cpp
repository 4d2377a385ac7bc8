#include <algorithm>
#include <cassert>
#include <numeric>
#include <stdexcept>

#include "network/routing/routing.h"

// Routing that a switch does with its own place and the destination's.
namespace weir::network {

namespace {

bool names_each_once(std::vector<std::size_t> order, std::size_t dimensions) {
    std::vector<std::size_t> all(dimensions);
    std::iota(all.begin(), all.end(), 0U);
    std::sort(order.begin(), order.end());
    return order == all;
}

class PlaceRouting : public Routing {
  public:
    using Routing::Routing;
    [[nodiscard]] bool looks_at_input() const final { return false; }
};

// Node i is at router i, whose last port is the node's.
class LatticeRouting : public PlaceRouting {
  public:
    LatticeRouting(const Topology& topology, std::vector<std::size_t> order)
        : PlaceRouting(topology), order_(std::move(order)) {
        if (!names_each_once(order_, topology.graph()[0].coordinates.size())) {
            throw std::invalid_argument("the order does not name each dimension once");
        }
        for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
            const auto& place = topology.graph()[vertex].coordinates;
            places_.insert(places_.end(), place.begin(), place.end());
        }
    }

    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const final {
        const std::size_t dimensions = order_.size();
        const std::int32_t* here = &places_[place.vertex * dimensions];
        const std::int32_t* there = &places_[destination * dimensions];
        for (const std::size_t d : order_) {
            if (here[d] != there[d]) {
                outputs.push_back(step(d, here[d], there[d]));
                return;
            }
        }
        outputs.push_back({2 * static_cast<int>(dimensions), 0});
    }

  protected:
    [[nodiscard]] virtual RoutedOutput step(std::size_t dimension, std::int32_t here,
                                            std::int32_t there) const = 0;
    [[nodiscard]] static int port_of(std::size_t dimension, bool up) {
        return 2 * static_cast<int>(dimension) + (up ? 0 : 1);
    }

  private:
    std::vector<std::size_t> order_;
    std::vector<std::int32_t> places_;  // of all switches, coordinate by coordinate
};

class MeshRouting final : public LatticeRouting {
  public:
    using LatticeRouting::LatticeRouting;

  private:
    [[nodiscard]] RoutedOutput step(std::size_t dimension, std::int32_t here,
                                    std::int32_t there) const override {
        return {port_of(dimension, there > here), 0};
    }
};

class TorusRouting final : public LatticeRouting {
  public:
    TorusRouting(const Topology& torus, std::vector<std::size_t> order, Datelines datelines)
        : LatticeRouting(torus, std::move(order)), datelines_(datelines) {
        for (const std::int32_t last : torus.graph()[torus.switch_count() - 1].coordinates) {
            extents_.push_back(last + 1);
        }
    }
    [[nodiscard]] int virtual_channels() const override {
        return datelines_ == Datelines::kNone ? 1 : 2;
    }

  private:
    [[nodiscard]] RoutedOutput step(std::size_t dimension, std::int32_t here,
                                    std::int32_t there) const override {
        const std::int32_t extent = extents_[dimension];
        const std::int32_t upwards = (there - here + extent) % extent;
        const bool up = 2 * upwards <= extent;
        const bool goes_around = up ? there < here : there > here;
        const bool is_past = datelines_ == Datelines::kTwoVirtualChannels && !goes_around;
        return {port_of(dimension, up), is_past ? 1 : 0};
    }

    Datelines datelines_;
    std::vector<std::int32_t> extents_;
};

class ECubeRouting final : public PlaceRouting {
  public:
    using PlaceRouting::PlaceRouting;
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const auto& here = topology().graph()[place.vertex].coordinates;
        const auto& there = topology().graph()[destination].coordinates;
        const auto wrong = std::mismatch(here.begin(), here.end(), there.begin()).first;
        outputs.push_back(
            {static_cast<int>(wrong - here.begin()), 0});  // after the last bit: the node's
    }
};

}  // namespace

std::unique_ptr<Routing> dimension_order_routing(const Topology& mesh,
                                                 std::vector<std::size_t> order) {
    assert(mesh.lattice() && !mesh.lattice()->is_end_around);
    return std::make_unique<MeshRouting>(mesh, std::move(order));
}

std::unique_ptr<Routing> torus_dimension_order_routing(const Topology& torus,
                                                       std::vector<std::size_t> order,
                                                       Datelines datelines) {
    assert(torus.lattice() && torus.lattice()->is_end_around);
    return std::make_unique<TorusRouting>(torus, std::move(order), datelines);
}

std::unique_ptr<Routing> e_cube_routing(const Topology& hypercube) {
    assert(hypercube.lattice() && hypercube.lattice()->ports_a_dimension == 1);
    return std::make_unique<ECubeRouting>(hypercube);
}

}  // namespace weir::network
