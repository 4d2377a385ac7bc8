#include "network/traffic/traffic_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "network/topology/dragonfly.h"

namespace weir::network {

namespace {

class Permutation final : public TrafficPattern {
  public:
    explicit Permutation(std::vector<std::int32_t> destinations)
        : destinations_(std::move(destinations)) {}

    [[nodiscard]] std::int32_t destination(std::int32_t source,
                                           hw::RandomStream& /*stream*/) const override {
        return destinations_[source];
    }

  private:
    std::vector<std::int32_t> destinations_;
};

class Uniform final : public TrafficPattern {
  public:
    explicit Uniform(std::size_t node_count) : node_count_(node_count) {}

    [[nodiscard]] std::int32_t destination(std::int32_t /*source*/,
                                           hw::RandomStream& stream) const override {
        return static_cast<std::int32_t>(stream.below(node_count_));
    }

  private:
    std::size_t node_count_;
};

class HotSpots final : public TrafficPattern {
  public:
    HotSpots(std::size_t node_count, double share, const std::vector<std::int64_t>& nodes,
             const std::vector<std::int64_t>& rates)
        : others_(node_count), share_(share) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            all_rates_ += static_cast<std::uint64_t>(rates.size() == 1 ? rates[0] : rates[i]);
            spots_.push_back({static_cast<std::int32_t>(nodes[i]), all_rates_});
        }
    }

    [[nodiscard]] std::int32_t destination(std::int32_t source,
                                           hw::RandomStream& stream) const override {
        // No random number is drawn for a share of 0, nor for the choice of a single hot spot.
        if (share_ <= 0.0 || stream.unit() > share_) {
            return others_.destination(source, stream);
        }
        if (spots_.size() == 1) {
            return spots_.front().node;
        }
        const std::uint64_t drawn = stream.below(all_rates_);
        return std::upper_bound(
                   spots_.begin(), spots_.end(), drawn,
                   [](std::uint64_t rate, const Spot& spot) { return rate < spot.rates_so_far; })
            ->node;
    }

  private:
    struct Spot {
        std::int32_t node = 0;
        // sum of the rates of the hot nodes up to and including this one
        std::uint64_t rates_so_far = 0;
    };

    Uniform others_;
    double share_;
    std::vector<Spot> spots_;
    std::uint64_t all_rates_ = 0;
};

std::unique_ptr<TrafficPattern> hot_spots(const TrafficParameters& parameters, std::size_t nodes) {
    const std::vector<std::int64_t> hot = parameters.hot_spot_nodes.value();
    const std::vector<std::int64_t> rates = parameters.hot_spot_rates.value();
    for (auto node = hot.begin(); node != hot.end(); ++node) {
        if (*node >= static_cast<std::int64_t>(nodes)) {
            throw TrafficFault(
                "traffic.hot_spot_nodes",
                fmt::format("traffic.hot_spot_nodes has {}, but the network has {} nodes", *node,
                            nodes),
                fmt::format("nodes from 0 to {}", nodes - 1));
        }
        if (std::find(hot.begin(), node, *node) != node) {
            throw TrafficFault("traffic.hot_spot_nodes",
                               fmt::format("traffic.hot_spot_nodes has {} twice", *node),
                               "each node once; traffic.hot_spot_rates has its rate");
        }
    }
    if (rates.size() != 1 && rates.size() != hot.size()) {
        throw TrafficFault(
            "traffic.hot_spot_rates",
            fmt::format("traffic.hot_spot_rates has {} rates, but there are {} hot nodes",
                        rates.size(), hot.size()),
            "one rate for each of traffic.hot_spot_nodes, or a single rate");
    }
    return std::make_unique<HotSpots>(nodes, parameters.hot_spot_share.value(), hot, rates);
}

// The nodes of meshes, tori and hypercubes as positions of a grid. Node i is at switch i.
class Grid {
  public:
    Grid(const Topology& topology, const char* pattern) : topology_(topology) {
        if (!topology.lattice()) {
            throw TrafficFault(
                "traffic.pattern",
                fmt::format(
                    "traffic.pattern = \"{}\" needs a network with dimensions, but this is a {}",
                    pattern, topology.title()),
                "a mesh, torus or hypercube, or another pattern");
        }
    }

    [[nodiscard]] const std::vector<std::int32_t>& extents() const {
        return topology_.lattice()->extents;
    }
    [[nodiscard]] bool is_end_around() const { return topology_.lattice()->is_end_around; }
    [[nodiscard]] const std::vector<std::int32_t>& coordinates(std::size_t node) const {
        return topology_.graph()[node].coordinates;
    }
    [[nodiscard]] std::int32_t node_at(const std::vector<std::int32_t>& place) const {
        std::int32_t node = 0;
        for (std::size_t d = place.size(); d-- > 0;) {
            node = node * extents()[d] + place[d];
        }
        return node;
    }

  private:
    const Topology& topology_;
};

class Locality final : public TrafficPattern {
  public:
    Locality(const Grid& grid, std::size_t node_count, std::int32_t span) : grid_(grid) {
        for (std::size_t node = 0; node < node_count; ++node) {
            std::vector<Span> spans;
            for (std::size_t d = 0; d < grid.extents().size(); ++d) {
                spans.push_back(span_of(grid.coordinates(node)[d], grid.extents()[d], span));
            }
            spans_.push_back(std::move(spans));
        }
    }

    [[nodiscard]] std::int32_t destination(std::int32_t source,
                                           hw::RandomStream& stream) const override {
        std::vector<std::int32_t> place;
        const std::vector<Span>& spans = spans_[source];
        for (std::size_t d = 0; d < spans.size(); ++d) {
            const auto step = static_cast<std::int32_t>(stream.below(spans[d].places));
            place.push_back((spans[d].first + step) % grid_.extents()[d]);
        }
        return grid_.node_at(place);
    }

  private:
    struct Span {
        std::int32_t first = 0;
        std::uint64_t places = 0;
    };

    [[nodiscard]] Span span_of(std::int32_t at, std::int32_t extent, std::int32_t span) const {
        if (grid_.is_end_around()) {
            const bool is_all = 2 * span + 1 >= extent;
            return is_all ? Span{0, static_cast<std::uint64_t>(extent)}
                          : Span{(at + extent - span) % extent,
                                 static_cast<std::uint64_t>(2 * span + 1)};
        }
        const std::int32_t first = std::max(at - span, 0);
        const std::int32_t last = std::min(at + span, extent - 1);
        return {first, static_cast<std::uint64_t>(last - first + 1)};
    }

    Grid grid_;
    // coordinates of the destinations, by node and dimension
    std::vector<std::vector<Span>> spans_;
};

class NextGroup final : public TrafficPattern {
  public:
    explicit NextGroup(const Topology& dragonfly)
        : places_(dragonfly), group_nodes_(places_.shape().terminals * places_.shape().routers) {}

    [[nodiscard]] std::int32_t destination(std::int32_t source,
                                           hw::RandomStream& stream) const override {
        const std::int32_t next = (places_.of_node(source).group + 1) % places_.shape().groups;
        return next * group_nodes_ + static_cast<std::int32_t>(stream.below(group_nodes_));
    }

  private:
    DragonflyPlaces places_;
    std::int32_t group_nodes_;  // number of nodes in a group
};

std::unique_ptr<TrafficPattern> next_group(const Topology& topology) {
    if (&topology.family() != &dragonfly_family()) {
        throw TrafficFault("traffic.pattern",
                           fmt::format("traffic.pattern = \"next_group\" needs groups, but this is "
                                       "a {}",
                                       topology.title()),
                           "a dragonfly, or another pattern");
    }
    return std::make_unique<NextGroup>(topology);
}

std::unique_ptr<TrafficPattern> permutation(
    std::size_t node_count, const std::function<std::int32_t(std::int32_t)>& destination) {
    std::vector<std::int32_t> destinations;
    for (std::size_t node = 0; node < node_count; ++node) {
        destinations.push_back(destination(static_cast<std::int32_t>(node)));
    }
    return std::make_unique<Permutation>(std::move(destinations));
}

std::unique_ptr<TrafficPattern> transpose(const Topology& topology) {
    const auto nodes = static_cast<std::int32_t>(topology.node_count());
    const auto side = static_cast<std::int32_t>(std::lround(std::sqrt(nodes)));
    const bool is_grid = topology.lattice() && topology.lattice()->ports_a_dimension == 2;
    const std::vector<std::int32_t> extents =
        is_grid ? Grid(topology, "transpose").extents() : std::vector<std::int32_t>{};
    const bool is_oblong = extents.size() == 2 && extents[0] != extents[1];
    if (side * side != nodes || is_oblong) {
        throw TrafficFault(
            "traffic.pattern",
            fmt::format(
                R"(traffic.pattern = "transpose" needs a square, but this is a {} of {} nodes)",
                topology.title(), nodes),
            "a square number of nodes, in two dimensions k x k, or another pattern");
    }
    return permutation(topology.node_count(),
                       [side](std::int32_t node) { return node % side * side + node / side; });
}

std::unique_ptr<TrafficPattern> of_bits(
    const Topology& topology, const char* name,
    const std::function<std::uint32_t(std::uint32_t node, int bits)>& destination) {
    const std::size_t nodes = topology.node_count();
    if (!std::has_single_bit(nodes)) {
        throw TrafficFault(
            "traffic.pattern",
            fmt::format(
                R"(traffic.pattern = "{}" works on the bits of a node's number, but this is a {} of {} nodes)",
                name, topology.title(), nodes),
            "2, 4, 8 ... nodes, or another pattern");
    }
    const int bits = std::countr_zero(nodes);
    return permutation(nodes, [&](std::int32_t node) {
        return static_cast<std::int32_t>(destination(static_cast<std::uint32_t>(node), bits));
    });
}

std::uint32_t bit_complement(std::uint32_t node, int bits) { return ~node & ((1U << bits) - 1U); }

std::uint32_t bit_reverse(std::uint32_t node, int bits) {
    std::uint32_t reversed = 0;
    for (int bit = 0; bit < bits; ++bit) {
        reversed |= (node >> bit & 1U) << (bits - 1 - bit);
    }
    return reversed;
}

std::uint32_t shuffle(std::uint32_t node, int bits) {
    return (node << 1U | node >> (bits - 1)) & ((1U << bits) - 1U);
}

// Moves each coordinate by a step that depends on the dimension's extent, around the end.
std::unique_ptr<TrafficPattern> of_digits(
    const Topology& topology, const char* name,
    const std::function<std::int32_t(std::int32_t extent)>& step) {
    const Grid grid(topology, name);
    if (std::all_of(grid.extents().begin(), grid.extents().end(),
                    [&](std::int32_t extent) { return step(extent) % extent == 0; })) {
        throw TrafficFault("traffic.pattern",
                           fmt::format("traffic.pattern = \"{}\" sends every packet of a {} to the "
                                       "node it is from",
                                       name, topology.title()),
                           "a dimension of three nodes or more, or another pattern");
    }
    return permutation(topology.node_count(), [&](std::int32_t node) {
        std::vector<std::int32_t> place = grid.coordinates(node);
        for (std::size_t d = 0; d < place.size(); ++d) {
            place[d] = (place[d] + step(grid.extents()[d])) % grid.extents()[d];
        }
        return grid.node_at(place);
    });
}

}  // namespace

std::unique_ptr<TrafficPattern> make_pattern(const TrafficParameters& parameters,
                                             const Topology& topology) {
    const std::size_t nodes = topology.node_count();
    switch (parameters.pattern.value()) {
        case PatternKind::kTranspose:
            return transpose(topology);
        case PatternKind::kBitComplement:
            return of_bits(topology, "bit_complement", bit_complement);
        case PatternKind::kBitReverse:
            return of_bits(topology, "bit_reverse", bit_reverse);
        case PatternKind::kShuffle:
            return of_bits(topology, "shuffle", shuffle);
        case PatternKind::kTornado:
            return of_digits(topology, "tornado",
                             [](std::int32_t extent) { return (extent + 1) / 2 - 1; });
        case PatternKind::kNeighbour:
            return of_digits(topology, "neighbour", [](std::int32_t /*extent*/) { return 1; });
        case PatternKind::kHotSpot:
            return hot_spots(parameters, nodes);
        case PatternKind::kLocality:
            return std::make_unique<Locality>(
                Grid(topology, "locality"), nodes,
                static_cast<std::int32_t>(parameters.locality_hops.value()));
        case PatternKind::kNextGroup:
            return next_group(topology);
        case PatternKind::kUniform:
        case PatternKind::kTable:
        case PatternKind::kTrace:
        case PatternKind::kRecording:
        case PatternKind::kOneAtATime:
            break;
    }
    return std::make_unique<Uniform>(nodes);
}

}  // namespace weir::network
