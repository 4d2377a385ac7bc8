#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <optional>
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

// Node i is at router i, whose last port is the node's.
class LatticeRouting : public Routing {
  public:
    LatticeRouting(const Topology& topology, std::vector<std::size_t> order)
        : Routing(topology), order_(std::move(order)) {
        if (!names_each_once(order_, topology.graph()[0].coordinates.size())) {
            throw std::invalid_argument("the order does not name each dimension once");
        }
        for (std::size_t vertex = 0; vertex < topology.switch_count(); ++vertex) {
            const auto& place = topology.graph()[vertex].coordinates;
            places_.insert(places_.end(), place.begin(), place.end());
        }
        for (const std::int32_t last : topology.graph()[topology.switch_count() - 1].coordinates) {
            first_way_.push_back(ways_);
            extents_.push_back(last + 1);
            ways_ += static_cast<std::size_t>(last + 1);
        }
    }

    // A coordinate of the next dimension to go in, or here.
    [[nodiscard]] std::size_t ways(std::size_t /*vertex*/) const final { return ways_; }
    [[nodiscard]] std::size_t way_to(std::size_t vertex, std::size_t destination) const final {
        const std::int32_t* const there = place_of(destination);
        const std::size_t next = next_dimension(place_of(vertex), there);
        return next == order_.size() ? 0 : first_way_[next] + static_cast<std::size_t>(there[next]);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const final {
        const std::int32_t* const here = place_of(vertex);
        const std::int32_t* const there = place_of(destination);
        std::int32_t hops = 0;
        for (std::size_t d = 0; d < extents_.size(); ++d) {
            hops += steps(d, here[d], there[d]);
        }
        return hops;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const final {
        const std::int32_t* const here = place_of(place.vertex);
        const std::int32_t* const there = place_of(destination);
        const std::size_t next = next_dimension(here, there);
        if (next == order_.size()) {
            outputs.push_back({2 * static_cast<int>(next), 0});
        } else {
            add_steps(place, next, here[next], there[next], outputs);
        }
    }

  protected:
    [[nodiscard]] virtual std::int32_t steps(std::size_t dimension, std::int32_t here,
                                             std::int32_t there) const = 0;
    virtual void add_steps(const HeaderPlace& place, std::size_t dimension, std::int32_t here,
                           std::int32_t there, std::vector<RoutedOutput>& outputs) const = 0;
    [[nodiscard]] std::int32_t extent(std::size_t dimension) const { return extents_[dimension]; }
    [[nodiscard]] static int port_of(std::size_t dimension, bool up) {
        return 2 * static_cast<int>(dimension) + (up ? 0 : 1);
    }

  private:
    // Its coordinates.
    [[nodiscard]] const std::int32_t* place_of(std::size_t vertex) const {
        return &places_[vertex * order_.size()];
    }
    // The first one, in the order, in which two places differ; as many as there are if none does.
    [[nodiscard]] std::size_t next_dimension(const std::int32_t* here,
                                             const std::int32_t* there) const {
        for (const std::size_t d : order_) {
            if (here[d] != there[d]) {
                return d;
            }
        }
        return order_.size();
    }

    std::vector<std::size_t> order_;
    std::vector<std::int32_t> extents_;
    std::vector<std::int32_t> places_;  // of all switches, coordinate by coordinate
    std::vector<std::size_t> first_way_;
    std::size_t ways_ = 1;
};

class MeshRouting final : public LatticeRouting {
  public:
    using LatticeRouting::LatticeRouting;
    [[nodiscard]] bool looks_at_input() const override { return false; }

  private:
    [[nodiscard]] std::int32_t steps(std::size_t /*dimension*/, std::int32_t here,
                                     std::int32_t there) const override {
        return std::abs(there - here);
    }
    void add_steps(const HeaderPlace& /*place*/, std::size_t dimension, std::int32_t here,
                   std::int32_t there, std::vector<RoutedOutput>& outputs) const override {
        outputs.push_back({port_of(dimension, there > here), 0});
    }
};

class TorusRouting final : public LatticeRouting {
  public:
    TorusRouting(const Topology& torus, std::vector<std::size_t> order, RingRules rules)
        : LatticeRouting(torus, std::move(order)), rules_(rules) {}
    [[nodiscard]] int virtual_channels() const override {
        return rules_.classes == RingClasses::kNone ? 1 : 2;
    }
    [[nodiscard]] int lots() const override { return rules_.ties == RingTies::kLot ? 2 : 1; }
    // Behind a ring's end or middle, the class tells whether a message has come over it.
    [[nodiscard]] bool looks_at_input() const override {
        return rules_.classes == RingClasses::kCrossing || rules_.classes == RingClasses::kBalanced;
    }

  private:
    // The shorter way around.
    [[nodiscard]] std::int32_t steps(std::size_t dimension, std::int32_t here,
                                     std::int32_t there) const override {
        const std::int32_t inside = std::abs(there - here);
        return std::min(inside, extent(dimension) - inside);
    }
    void add_steps(const HeaderPlace& place, std::size_t dimension, std::int32_t here,
                   std::int32_t there, std::vector<RoutedOutput>& outputs) const override {
        const std::int32_t ring = extent(dimension);
        const std::int32_t upwards = (there - here + ring) % ring;
        const bool up = 2 * upwards == ring ? goes_up_at_tie(here, place.lot) : 2 * upwards < ring;
        const int port = port_of(dimension, up);
        // What goes up comes in by the port that leads down, and the other way round.
        const bool is_in_ring = place.input_port == port_of(dimension, !up);
        if (is_in_ring && looks_at_input()) {
            outputs.push_back({port, place.virtual_channel});
            return;
        }
        const bool goes_over_end = up ? there < here : there > here;
        const std::int32_t middle = (ring - 1) / 2;
        const bool goes_over_middle = !goes_over_end && (here <= middle) != (there <= middle);
        switch (rules_.classes) {
            case RingClasses::kNone:
                outputs.push_back({port, 0});
                break;
            case RingClasses::kDateline:
                outputs.push_back({port, goes_over_end ? 0 : 1});
                break;
            case RingClasses::kCrossing:
                outputs.push_back({port, goes_over_end ? 1 : 0});
                break;
            case RingClasses::kBalanced:
                if (!goes_over_end) {
                    outputs.push_back({port, 0});
                }
                if (!goes_over_middle) {
                    outputs.push_back({port, 1});
                }
                break;
        }
    }
    [[nodiscard]] bool goes_up_at_tie(std::int32_t here, int lot) const {
        switch (rules_.ties) {
            case RingTies::kUp:
                return true;
            case RingTies::kParity:
                return here % 2 == 0;
            case RingTies::kLot:
                return lot == 0;
        }
        return true;
    }

    RingRules rules_;
};

class ECubeRouting final : public Routing {
  public:
    using Routing::Routing;
    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return std::popcount(vertex ^ destination);
    }
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
                                                       RingRules rules) {
    assert(torus.lattice() && torus.lattice()->is_end_around);
    return std::make_unique<TorusRouting>(torus, std::move(order), rules);
}

std::unique_ptr<Routing> e_cube_routing(const Topology& hypercube) {
    assert(hypercube.lattice() && hypercube.lattice()->ports_a_dimension == 1);
    return std::make_unique<ECubeRouting>(hypercube);
}

}  // namespace weir::network
