#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "network/routing/routing.h"
#include "network/routing/routing_kind.h"
#include "network/topology/lattice.h"
#include "network/topology/lattice_places.h"

// Algorithmic routing: a switch computes the output from its own position and the destination's.
namespace weir::network {

namespace {

bool names_each_once(std::vector<std::size_t> order, std::size_t dimensions) {
    std::vector<std::size_t> all(dimensions);
    std::iota(all.begin(), all.end(), 0U);
    std::sort(order.begin(), order.end());
    return order == all;
}

int port_of(std::size_t dimension, bool up) {
    return static_cast<int>(lattice_port(dimension, up));
}

// Remaining part of a route in one dimension: from coordinate `here` to coordinate `there`, which
// differ.
struct Leg {
    std::size_t dimension = 0;
    std::int32_t extent = 0;
    std::int32_t here = 0;
    std::int32_t there = 0;
};

// Dimension-order routing on a mesh or torus: node i is at router i, whose last port is the node's.
// `Steps` gives the direction and the hops in a dimension. It divides legs into Steps::kKinds
// kinds; all legs of a kind have the same outputs.
template <class Steps>
class LatticeRouting final : public Routing {
  public:
    LatticeRouting(const Topology& topology, std::vector<std::size_t> order, Steps steps)
        : Routing(topology),
          order_(std::move(order)),
          steps_(steps),
          extents_(topology.lattice()->extents),
          places_(topology.graph()) {
        if (!names_each_once(order_, extents_.size())) {
            throw std::invalid_argument("the order does not name each dimension once");
        }
    }

    [[nodiscard]] int virtual_channels() const override { return steps_.virtual_channels(); }
    [[nodiscard]] int lots() const override { return steps_.lots(); }
    [[nodiscard]] bool looks_at_input() const override { return steps_.looks_at_input(); }
    // Destination classes: one for the node at this router, and one for each kind of leg in each
    // dimension, as the route's next leg.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return 1 + Steps::kKinds * extents_.size();
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const std::optional<Leg> leg = next_leg(vertex, destination);
        return leg ? 1 + Steps::kKinds * leg->dimension + Steps::kind(*leg) : 0;
    }
    // As in the base class, without its virtual calls: routers look it up for each header.
    [[nodiscard]] std::size_t message_class(std::size_t vertex, std::size_t destination,
                                            int lot) const override {
        return destination_class(vertex, destination) * static_cast<std::size_t>(lots()) +
               static_cast<std::size_t>(lot);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        std::int32_t hops = 0;
        for (std::size_t d = 0; d < extents_.size(); ++d) {
            hops += Steps::hops(leg(d, vertex, destination));
        }
        return hops;
    }
    [[nodiscard]] std::span<const std::size_t> dimension_order() const override { return order_; }
    [[nodiscard]] std::unique_ptr<Routing> on_ring(const Topology& ring) const override {
        return std::make_unique<LatticeRouting>(ring, std::vector<std::size_t>{0}, steps_);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        if (const std::optional<Leg> leg = next_leg(place.vertex, destination)) {
            steps_.add_outputs(place, *leg, outputs);
        } else {
            outputs.push_back({port_of(extents_.size(), true), 0});
        }
    }

  private:
    [[nodiscard]] Leg leg(std::size_t dimension, std::size_t vertex,
                          std::size_t destination) const {
        return {dimension, extents_[dimension], places_.of(vertex)[dimension],
                places_.of(destination)[dimension]};
    }
    // The leg of the first dimension, in routing order, whose distance is not zero.
    [[nodiscard]] std::optional<Leg> next_leg(std::size_t vertex, std::size_t destination) const {
        const std::uint16_t* const here = places_.of(vertex);
        const std::uint16_t* const there = places_.of(destination);
        for (const std::size_t d : order_) {
            if (here[d] != there[d]) {
                return Leg{d, extents_[d], here[d], there[d]};
            }
        }
        return std::nullopt;
    }

    std::vector<std::size_t> order_;
    Steps steps_;
    std::vector<std::int32_t> extents_;
    LatticePlaces places_;
};

class MeshSteps {
  public:
    [[nodiscard]] static int virtual_channels() { return 1; }
    [[nodiscard]] static int lots() { return 1; }
    [[nodiscard]] static bool looks_at_input() { return false; }

    static constexpr std::size_t kKinds = 2;
    [[nodiscard]] static std::size_t kind(const Leg& leg) { return leg.there > leg.here ? 0 : 1; }
    [[nodiscard]] static std::int32_t hops(const Leg& leg) {
        return std::abs(leg.there - leg.here);
    }
    static void add_outputs(const HeaderPlace& /*place*/, const Leg& leg,
                            std::vector<RoutedOutput>& outputs) {
        outputs.push_back({port_of(leg.dimension, leg.there > leg.here), 0});
    }
};

class TorusSteps {
  public:
    explicit TorusSteps(RingRules rules) : rules_(rules) {}

    [[nodiscard]] int virtual_channels() const {
        return rules_.classes == RingClasses::kNone ? 1 : 2;
    }
    [[nodiscard]] int lots() const { return rules_.ties == RingTies::kLot ? 2 : 1; }
    // True if a message keeps the virtual channel by which it entered a ring. Its choice depends on
    // whether the route crosses the ring's end or middle.
    [[nodiscard]] bool looks_at_input() const {
        return rules_.classes == RingClasses::kCrossing || rules_.classes == RingClasses::kBalanced;
    }

    // Kinds of legs: the shorter direction (up, down or tie), whether the end is crossed upwards or
    // downwards, and whether the middle lies between.
    static constexpr std::size_t kKinds = 12;  // 3 directions x 2 x 2
    [[nodiscard]] static std::size_t kind(const Leg& leg) {
        const std::int32_t up = upwards(leg);
        const std::size_t direction = 2 * up == leg.extent ? 2 : 2 * up < leg.extent ? 0 : 1;
        return 4 * direction + (leg.there < leg.here ? 2 : 0) + (has_middle_between(leg) ? 1 : 0);
    }
    [[nodiscard]] static std::int32_t hops(const Leg& leg) {
        return std::min(upwards(leg), leg.extent - upwards(leg));
    }
    void add_outputs(const HeaderPlace& place, const Leg& leg,
                     std::vector<RoutedOutput>& outputs) const {
        const std::int32_t way_up = upwards(leg);
        const bool up = 2 * way_up == leg.extent ? goes_up_at_tie(leg.here, place.lot)
                                                 : 2 * way_up < leg.extent;
        const int port = port_of(leg.dimension, up);
        // A message that travels up arrives at the port that leads down, and vice versa.
        const bool is_in_ring = place.input_port == port_of(leg.dimension, !up);
        if (is_in_ring && looks_at_input()) {
            outputs.push_back({port, place.virtual_channel});
            return;
        }
        const bool goes_over_end = up == (leg.there < leg.here);
        const bool goes_over_middle = !goes_over_end && has_middle_between(leg);
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

  private:
    // Hops in the upward direction.
    [[nodiscard]] static std::int32_t upwards(const Leg& leg) {
        const std::int32_t up = leg.there - leg.here;
        return up < 0 ? up + leg.extent : up;
    }
    // True if the middle is between the two routers in the ring without its end-around channel.
    [[nodiscard]] static bool has_middle_between(const Leg& leg) {
        const std::int32_t middle = (leg.extent - 1) / 2;
        return (leg.here <= middle) != (leg.there <= middle);
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
    explicit ECubeRouting(const Topology& hypercube)
        : Routing(hypercube), dimensions_(hypercube.lattice()->extents.size()) {}

    [[nodiscard]] bool looks_at_input() const override { return false; }
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return dimensions_ + 1;
    }
    // Dimension of the lowest differing bit; the number of dimensions if the node is here.
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        return std::min<std::size_t>(std::countr_zero(vertex ^ destination), dimensions_);
    }
    [[nodiscard]] std::optional<std::int32_t> hops_to(std::size_t vertex,
                                                      std::size_t destination) const override {
        return std::popcount(vertex ^ destination);
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        // Port d flips bit d; the last port is the node's.
        outputs.push_back({static_cast<int>(destination_class(place.vertex, destination)), 0});
    }

  private:
    std::size_t dimensions_;
};

}  // namespace

std::unique_ptr<Routing> dimension_order_routing(const Topology& mesh,
                                                 std::vector<std::size_t> order) {
    assert(mesh.lattice() && !mesh.lattice()->is_end_around);
    return std::make_unique<LatticeRouting<MeshSteps>>(mesh, std::move(order), MeshSteps());
}

std::unique_ptr<Routing> torus_dimension_order_routing(const Topology& torus,
                                                       std::vector<std::size_t> order,
                                                       RingRules rules) {
    assert(torus.lattice() && torus.lattice()->is_end_around);
    return std::make_unique<LatticeRouting<TorusSteps>>(torus, std::move(order), TorusSteps(rules));
}

std::unique_ptr<Routing> e_cube_routing(const Topology& hypercube) {
    assert(hypercube.lattice() && hypercube.lattice()->ports_a_dimension == 1);
    return std::make_unique<ECubeRouting>(hypercube);
}

const RoutingKind& dimension_order_routing_kind() {
    static const RoutingKind kind{"dimension_order",
                                  "one dimension after the other",
                                  [](const TopologyFamily& family) {
                                      return &family == &mesh_family() ||
                                             &family == &torus_family();
                                  },
                                  own_routing_of_topology,
                                  {.reads = {"routing_order", "ring_classes", "ring_ties"}}};
    return kind;
}

const RoutingKind& e_cube_routing_kind() {
    static const RoutingKind kind{
        "e_cube", "the lowest differing bit first",
        [](const TopologyFamily& family) { return &family == &hypercube_family(); },
        own_routing_of_topology};
    return kind;
}

}  // namespace weir::network
