#include "network/topology/slim_fly.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cassert>
#include <cstddef>
#include <string>
#include <utility>

#include "network/network_parameters.h"

namespace weir::network {

namespace {

// The prime that q is a power of; 0 if there is none.
std::int32_t prime_below(std::int32_t q) {
    std::int32_t prime = 2;
    while (q % prime != 0) {
        ++prime;
    }
    while (q % prime == 0) {
        q /= prime;
    }
    return q == 1 ? prime : 0;
}

}  // namespace

// Elements are polynomials over the integers modulo the prime; the digits of an element's number in
// the radix of the prime are its coefficients. The primitive element is x, or a number if q is
// prime. `rest` is the value of the highest power of x, a polynomial of lower degree.
std::optional<FiniteField> FiniteField::of_order(std::int32_t q) {
    FiniteField field;
    field.order_ = q;
    field.prime_ = prime_below(q);
    if (field.prime_ == 0) {
        return std::nullopt;
    }
    const bool is_prime = field.prime_ == q;
    for (std::int32_t rest = 1; rest < q; ++rest) {
        field.powers_.clear();
        field.exponents_.assign(q, -1);
        std::int32_t element = 1;
        while (element != 0 && field.exponents_[element] < 0) {
            field.exponents_[element] = static_cast<std::int32_t>(field.powers_.size());
            field.powers_.push_back(element);
            if (is_prime) {
                element = element * rest % q;
                continue;
            }
            const std::int32_t highest = element / (q / field.prime_);
            element = element % (q / field.prime_) * field.prime_;
            for (std::int32_t i = 0; i < highest; ++i) {
                element = field.sum(element, rest);
            }
        }
        if (static_cast<std::int32_t>(field.powers_.size()) == q - 1) {
            return field;
        }
    }
    return std::nullopt;
}

std::int32_t FiniteField::sum(std::int32_t a, std::int32_t b) const {
    std::int32_t sum = 0;
    for (std::int32_t place = 1; place < order_; place *= prime_) {
        sum += (a / place + b / place) % prime_ * place;
    }
    return sum;
}

std::int32_t FiniteField::negative(std::int32_t a) const {
    std::int32_t negative = 0;
    for (std::int32_t place = 1; place < order_; place *= prime_) {
        negative += (prime_ - a / place % prime_) % prime_ * place;
    }
    return negative;
}

std::int32_t FiniteField::product(std::int32_t a, std::int32_t b) const {
    return a == 0 || b == 0 ? 0 : powers_[(exponents_[a] + exponents_[b]) % (order_ - 1)];
}

namespace {

// The generator sets X and X' of McKay, Miller and Siran, as Hafner (2004) has them: even and odd
// powers of the primitive element. For q mod 4 = 0 the power q - 1, which is 1, is among the odd
// ones. For q mod 4 = 3 the second half of each set has the other parity, so that it has each
// element's negative, too.
std::vector<std::vector<bool>> generators_of(const FiniteField& field) {
    const std::int32_t q = field.order();
    std::vector<std::vector<bool>> sets(2, std::vector<bool>(q, false));
    const std::int32_t w = (q + 1) / 4;
    for (std::int32_t exponent = 0; exponent < q - 1; ++exponent) {
        if (q % 4 != 3) {
            sets[exponent % 2][field.power(exponent)] = true;
            continue;
        }
        // X: 0, 2, ..., 2w - 2, 2w - 1, 2w + 1, ..., 4w - 3. X' has the exponents one higher.
        const std::int32_t parity = exponent < 2 * w - 1 ? 0 : 1;
        if (exponent % 2 == parity) {
            sets[0][field.power(exponent)] = true;
            sets[1][field.power((exponent + 1) % (q - 1))] = true;
        }
    }
    sets[1][field.power(0)] = sets[1][field.power(0)] || q % 4 == 0;
    return sets;
}

// Whether two routers are connected, by their numbers.
class MmsGraph {
  public:
    explicit MmsGraph(const FiniteField& field)
        : field_(field), generators_(generators_of(field)) {}

    [[nodiscard]] std::vector<std::int32_t> coordinates(std::int32_t router) const {
        const std::int32_t q = field_.order();
        return {router / (q * q), router / q % q, router % q};
    }
    [[nodiscard]] bool are_connected(std::int32_t one, std::int32_t other) const {
        if (one > other) {
            std::swap(one, other);
        }
        const auto a = coordinates(one);
        const auto b = coordinates(other);
        if (a[0] == b[0]) {
            return a[1] == b[1] && generators_[a[0]][field_.sum(a[2], field_.negative(b[2]))];
        }
        return a[2] == field_.sum(field_.product(b[1], a[1]), b[2]);
    }

  private:
    const FiniteField& field_;
    std::vector<std::vector<bool>> generators_;
};

class SlimFlyRouting final : public Routing {
  public:
    SlimFlyRouting(const Topology& slim_fly, int virtual_channels)
        : Routing(slim_fly),
          virtual_channels_(virtual_channels),
          routers_(slim_fly.switch_count()),
          terminals_(slim_fly.node_count() / routers_),
          next_(routers_ * routers_) {
        const TopologyGraph& graph = slim_fly.graph();
        for (std::size_t to = 0; to < routers_; ++to) {
            for (std::size_t from = 0; from < routers_; ++from) {
                find_next(from, to, graph);
            }
        }
    }

    [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
    [[nodiscard]] bool looks_at_input() const override { return false; }
    // Destination classes: a node of this router, or another router.
    [[nodiscard]] std::size_t destination_classes(std::size_t /*vertex*/) const override {
        return terminals_ + routers_;
    }
    [[nodiscard]] std::size_t destination_class(std::size_t vertex,
                                                std::size_t destination) const override {
        const std::size_t last = destination / terminals_;
        return last == vertex ? destination % terminals_ : terminals_ + last;
    }
    void add_outputs(const HeaderPlace& place, std::size_t destination,
                     std::vector<RoutedOutput>& outputs) const override {
        const std::size_t last = destination / terminals_;
        if (last == place.vertex) {
            outputs.push_back({static_cast<int>(destination % terminals_), 0});
            return;
        }
        const Next& next = next_[last * routers_ + place.vertex];
        outputs.push_back({next.port, next.is_last ? virtual_channels_ - 1 : 0});
    }

  private:
    struct Next {
        std::uint16_t port = 0;
        bool is_last = false;  // true if the hop ends at the destination's router
    };

    void find_next(std::size_t from, std::size_t to, const TopologyGraph& graph) {
        std::vector<std::uint16_t> ports;
        for (const Channel channel : boost::make_iterator_range(out_edges(from, graph))) {
            const std::size_t neighbour = target(channel, graph);
            const auto port = static_cast<std::uint16_t>(graph[channel].output_port);
            if (neighbour == to) {
                next_[to * routers_ + from] = {port, true};
                return;
            }
            if (neighbour < routers_ && edge(neighbour, to, graph).second) {
                ports.push_back(port);
            }
        }
        if (from != to) {
            assert(!ports.empty());
            next_[to * routers_ + from] = {ports[to % ports.size()], false};
        }
    }

    int virtual_channels_;
    std::size_t routers_;
    std::size_t terminals_;
    std::vector<Next> next_;  // by the destination's router and this one
};

// Largest q: to find the routes between more routers takes too long.
constexpr std::int32_t kMostOrder = 25;

class SlimFlyFamily final : public TopologyFamily {
  public:
    SlimFlyFamily()
        : TopologyFamily(
              "slim_fly",
              "routers at most two hops apart: dimensions = [nodes per router, 2, q, q], "
              "with a power of a prime q (Besta and Hoefler 2014)",
              {"dimensions"}) {}

    [[nodiscard]] bool has_extents() const override { return true; }
    [[nodiscard]] std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const override {
        const std::vector<std::int32_t> extents = parameters.extents();
        const bool has_shape = extents.size() == 4 && extents[1] == 2 && extents[2] == extents[3];
        const std::int32_t q = has_shape ? extents[2] : 0;
        if (q < 3 || q > kMostOrder || q % 4 == 2 || !FiniteField::of_order(q)) {
            return hw::ParameterGroup::Fault{
                parameters.dimensions.name(), "does not describe a slim fly",
                "[nodes per router, 2, q, q], with a power of a prime q from 3 to 25"};
        }
        return std::nullopt;
    }
    [[nodiscard]] Topology make(const NetworkParameters& parameters) const override {
        const std::vector<std::int32_t> extents = parameters.extents();
        return slim_fly_topology(extents[0], extents[2]);
    }
    [[nodiscard]] std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const override {
        return slim_fly_minimal_routing(topology, parameters.virtual_channels.value() == 1 ? 1 : 2);
    }
    [[nodiscard]] ChannelClasses channel_classes() const override {
        return {2,
                "a slim fly has two classes of virtual channels of equal size, for the last hop "
                "and the one before"};
    }
};

}  // namespace

const TopologyFamily& slim_fly_family() {
    static const SlimFlyFamily family;
    return family;
}

Topology slim_fly_topology(std::int32_t terminals, std::int32_t q) {
    const std::optional<FiniteField> field = FiniteField::of_order(q);
    assert(field && q % 4 != 2);
    const MmsGraph connections(*field);
    const std::int32_t routers = 2 * q * q;
    TopologyGraph graph;
    for (std::int32_t router = 0; router < routers; ++router) {
        const auto at = connections.coordinates(router);
        add_vertex({VertexKind::kSwitch,
                    "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," +
                        std::to_string(at[2]) + ")",
                    at},
                   graph);
    }
    for (std::int32_t node = 0; node < routers * terminals; ++node) {
        const std::size_t vertex =
            add_vertex({VertexKind::kNode, "node " + std::to_string(node), {}}, graph);
        const std::size_t router = node / terminals;
        const int port = node % terminals;
        add_edge(vertex, router, {0, port, "injection"}, graph);
        add_edge(router, vertex, {port, 0, "down " + std::to_string(port)}, graph);
    }
    std::vector<std::vector<std::int32_t>> neighbours(routers);
    for (std::int32_t one = 0; one < routers; ++one) {
        for (std::int32_t other = 0; other < routers; ++other) {
            if (one != other && connections.are_connected(one, other)) {
                neighbours[one].push_back(other);
            }
        }
    }
    const auto port_to = [&](std::int32_t from, std::int32_t to) {
        const auto& all = neighbours[from];
        return terminals +
               static_cast<int>(std::lower_bound(all.begin(), all.end(), to) - all.begin());
    };
    for (std::int32_t one = 0; one < routers; ++one) {
        for (const std::int32_t other : neighbours[one]) {
            add_edge(one, other,
                     {port_to(one, other), port_to(other, one), "to " + std::to_string(other)},
                     graph);
        }
    }
    const std::size_t nodes = num_vertices(graph) - static_cast<std::size_t>(routers);
    return {slim_fly_family(),
            "slim fly of q = " + std::to_string(q) + ", " + std::to_string(routers) +
                " routers with " + std::to_string(terminals) + " nodes each",
            graph,
            {.injection = true, .ejection = true},
            halves_by_number(nodes)};
}

std::unique_ptr<Routing> slim_fly_minimal_routing(const Topology& slim_fly, int virtual_channels) {
    assert(&slim_fly.family() == &slim_fly_family());
    return std::make_unique<SlimFlyRouting>(slim_fly, virtual_channels);
}

}  // namespace weir::network
