#include "experiments/models/logpc/mean_distance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "experiments/models/logpc/logpc_network_inputs.h"
#include "experiments/models/model_error.h"
#include "experiments/models/model_input.h"

namespace weir::experiments::models {
namespace {

// Limits of enumerations of nodes, or pairs of nodes, so that they take less than a second.
constexpr double kMostNodesOfASpan = 1e4;
constexpr double kMostNumberedNodes = 1e6;
constexpr double kMostNumberedPairs = 1e8;

void check(const NetworkShape& shape) {
    if (shape.extents.empty()) {
        throw ModelError("extents are not given", "one or more numbers of nodes");
    }
    for (const int extent : shape.extents) {
        require_count("extent (k)", extent, 1, "nodes");
    }
    if (shape.unidirectional && !shape.end_around) {
        throw ModelError(
            "channels are unidirectional without end-around channels",
            "unidirectional channels with topology torus, so that all nodes are reached");
    }
}

double node_count(const NetworkShape& shape) {
    double nodes = 1.0;
    for (const double extent : shape.extents) {
        nodes *= extent;
    }
    return nodes;
}

void require_enumerable(const NetworkShape& shape, double most) {
    const double nodes = node_count(shape);
    if (nodes < 2.0 || nodes > most) {
        throw ModelError("extents make " + shortest_text(nodes) + " nodes",
                         "2 to " + shortest_text(most) + " nodes");
    }
}

int hops_along(const NetworkShape& shape, int extent, int from, int to) {
    if (!shape.end_around) {
        return std::abs(to - from);
    }
    const int onwards = ((to - from) % extent + extent) % extent;
    return shape.unidirectional ? onwards : std::min(onwards, extent - onwards);
}

/// Mean hops along one dimension of `extent` nodes between two random positions, which may be
/// equal.
double mean_hops_along(const NetworkShape& shape, double extent) {
    if (!shape.end_around) {
        return (extent - 1.0 / extent) / 3.0;  // above (11): (k^2 - 1) / 3k
    }
    if (shape.unidirectional) {
        return (extent - 1.0) / 2.0;  // LoGPC, section 4: (k - 1)/2
    }
    const bool odd = std::fmod(extent, 2.0) != 0.0;
    return (extent - (odd ? 1.0 / extent : 0.0)) / 4.0;
}

/// Number of positions within a span of one position, and the sum of the hops to them.
struct Reach {
    double positions = 0.0;
    double hops = 0.0;
};

Reach reach_along(const NetworkShape& shape, int extent, int from, int span_hops) {
    Reach reach;
    for (int to = 0; to < extent; ++to) {
        const int hops = hops_along(shape, extent, from, to);
        if (hops <= span_hops) {
            reach.positions += 1.0;
            reach.hops += hops;
        }
    }
    return reach;
}

/// Advances coordinates to the next node's; false after the last node.
bool advance(std::vector<int>& coordinates, const std::vector<int>& extents) {
    for (std::size_t d = 0; d < extents.size(); ++d) {
        if (++coordinates[d] < extents[d]) {
            return true;
        }
        coordinates[d] = 0;
    }
    return false;
}

/// Hops between two node numbers. A number beyond the last node's lies in an additional row of a
/// mesh, and in one of the first rows of a torus.
int hops_between(const NetworkShape& shape, int from, int to) {
    int hops = 0;
    for (std::size_t d = 0; d + 1 < shape.extents.size(); ++d) {
        const int extent = shape.extents[d];
        hops += hops_along(shape, extent, from % extent, to % extent);
        from /= extent;
        to /= extent;
    }
    return hops + hops_along(shape, shape.extents.back(), from, to);
}

}  // namespace

double mean_hops(const NetworkShape& shape) {
    check(shape);
    double hops = 0.0;
    for (const double extent : shape.extents) {
        hops += mean_hops_along(shape, extent);  // (11)
    }
    return hops;
}

double mean_hops_to_others(const NetworkShape& shape) {
    const double hops = mean_hops(shape);
    const double nodes = node_count(shape);
    if (nodes < 2.0) {
        throw ModelError("extents make one node", "two nodes or more");
    }
    // Leaves out the pairs of a node and itself: one pair in `nodes`, with distance 0.
    return hops * nodes / (nodes - 1.0);
}

double mean_hops_within_span(const NetworkShape& shape, int span_hops, bool self_destination) {
    check(shape);
    require_count("span_hops (l)", span_hops, 1, "hops");
    require_enumerable(shape, kMostNodesOfASpan);
    std::vector<std::vector<Reach>> reaches;
    for (const int extent : shape.extents) {
        std::vector<Reach> along;
        along.reserve(extent);
        for (int from = 0; from < extent; ++from) {
            along.push_back(reach_along(shape, extent, from, span_hops));
        }
        reaches.push_back(std::move(along));
    }
    std::vector<int> node(shape.extents.size(), 0);
    double hops = 0.0;
    do {
        double destinations = 1.0;
        double mean = 0.0;  // mean hops to all destinations of this node, itself included
        for (std::size_t d = 0; d < node.size(); ++d) {
            const Reach& reach = reaches[d][node[d]];
            destinations *= reach.positions;
            mean += reach.hops / reach.positions;
        }
        hops += self_destination ? mean : mean * destinations / (destinations - 1.0);
    } while (advance(node, shape.extents));
    return hops / node_count(shape);
}

double mean_hops_to_numbered_neighbours(const NetworkShape& shape, int span, NumberingEnds ends) {
    check(shape);
    require_enumerable(shape, kMostNumberedNodes);
    require_count("span", span, 1, "nodes");
    const auto nodes = static_cast<int>(node_count(shape));
    if (span >= nodes) {
        throw ModelError(
            "span is " + std::to_string(span),
            "1 to " + std::to_string(nodes - 1) + " nodes, fewer than the network has");
    }
    if (static_cast<double>(span) * nodes > kMostNumberedPairs) {
        throw ModelError("span is " + std::to_string(span),
                         "up to " + shortest_text(std::floor(kMostNumberedPairs / nodes)) +
                             " nodes of " + std::to_string(nodes));
    }
    // The pairs (p, p - j) of (12) are the pairs (p, p + j) in the opposite direction.
    double hops = 0.0;
    double pairs = 0.0;
    for (int node = 0; node < nodes; ++node) {
        for (int step = 1; step <= span; ++step) {
            int other = node + step;
            if (other >= nodes && ends == NumberingEnds::kNone) {
                break;
            }
            if (ends == NumberingEnds::kEndAround) {
                other %= nodes;
            }
            const int there = hops_between(shape, node, other);
            const int back = hops_between(shape, other, node);
            hops += (there + back) / 2.0;  // (12)
            pairs += 1.0;
        }
    }
    return hops / pairs;
}

std::vector<int> whole_extents(const std::vector<double>& extents) {
    std::vector<int> whole;
    for (const double extent : extents) {
        if (std::trunc(extent) != extent) {
            throw ModelError("extents (k) has " + shortest_text(extent), "whole numbers of nodes");
        }
        if (extent > 1.0) {
            whole.push_back(static_cast<int>(extent));
        }
    }
    if (whole.empty()) {
        whole.push_back(1);
    }
    return whole;
}

namespace {

class MeanDistance final : public Model {
  public:
    MeanDistance()
        : Model("logpc-mean-distance", "Mean distance of messages in a mesh or k-ary n-cube",
                "LoGPC (2001), sections 3.3 and 4") {
        input(extents_, "extents", "k", "Nodes along each dimension, x first", {1.0, 1e6});
        choice(shape_.end_around, "topology", "mesh, or torus with end-around channels",
               {"mesh", "torus"});
        choice(shape_.unidirectional, "channels",
               "Channels between neighbours: one in each direction, or one in a single direction",
               {"bidirectional", "unidirectional"});
        choice(destinations_, "destinations",
               "Destinations of a node: any node, nodes within the span, or nodes with adjacent "
               "numbers",
               {"random", "random_others", "within_span", "numbered_neighbours"});
        input(span_, "span", "l",
              "Largest number of hops per dimension (within_span), or largest difference of node "
              "numbers",
              {1.0, 1e6});
        choice(ends_, "numbering_ends",
               "Successor of the last node: an imaginary node in one more row (go_on), node 0 "
               "(end_around) or none",
               {"go_on", "end_around", "none"});
        output(mean_hops_, "mean_hops", "n k_d", "Mean number of hops of a message", "(11), (12)");
        output([this] { return mean_hops_ / static_cast<double>(shape_.extents.size()); },
               "mean_distance_per_dimension", "k_d",
               "Mean number of hops of a message per dimension", "(11), (12)");
        output([this] { return node_count(shape_); }, "processors", "P", "Nodes of the network");
    }

  private:
    [[nodiscard]] double hops() const {
        if (destinations_ == "random_others") {
            return mean_hops_to_others(shape_);
        }
        if (destinations_ == "within_span") {
            return mean_hops_within_span(shape_, span_, false);
        }
        if (destinations_ == "numbered_neighbours") {
            return mean_hops_to_numbered_neighbours(shape_, span_, ends_);
        }
        return mean_hops(shape_);
    }

    void evaluate() override {
        const std::string chosen = "destinations is \"" + destinations_ + "\"";
        const bool numbered = destinations_ == "numbered_neighbours";
        const bool within_span = destinations_ == "within_span";
        if (!numbered && !within_span) {
            refuse_if_given("span", chosen,
                            R"(with destinations "within_span" or "numbered_neighbours")");
        }
        if (!numbered) {
            refuse_if_given("numbering_ends", chosen, R"(with destinations "numbered_neighbours")");
        }
        shape_.extents = whole_extents(extents_);
        mean_hops_ = hops();
        if (numbered && shape_.extents == kPaperMesh && !shape_.end_around && span_ == 1) {
            note(
                "For i + 1 and i - 1 on 4 x 8 the paper prints 1.875 hops. That counts 8 hops "
                "after the last node (go_on). Its route to node 0 has 10 hops, and gives 1.9375 "
                "(end_around).");
        }
        if (within_span) {
            note(
                "A node chooses among the other nodes at most span hops away in each dimension. "
                "The paper does not say whether the span is a box; here it is a box, cut off at "
                "the edges.");
        }
    }

    std::vector<double> extents_;
    NetworkShape shape_;
    std::string destinations_;
    int span_ = 1;
    NumberingEnds ends_ = NumberingEnds::kGoOn;
    double mean_hops_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> logpc_mean_distance_model() { return std::make_unique<MeanDistance>(); }

}  // namespace weir::experiments::models
