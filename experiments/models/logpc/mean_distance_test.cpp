#include "experiments/models/logpc/mean_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <string>
#include <vector>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

const NetworkShape kAlewifeMesh = {.extents = {8, 4}};

// Independent computation of every distance: breadth-first search of the network's graph.
class Graph {
  public:
    explicit Graph(const NetworkShape& shape) : shape_(shape) {
        for (const int extent : shape.extents) {
            nodes_ *= extent;
        }
    }

    [[nodiscard]] int nodes() const { return nodes_; }

    [[nodiscard]] std::vector<int> hops_from(int source) const {
        std::vector<int> hops(static_cast<std::size_t>(nodes_), -1);
        std::queue<int> frontier;
        hops[static_cast<std::size_t>(source)] = 0;
        frontier.push(source);
        while (!frontier.empty()) {
            const int node = frontier.front();
            frontier.pop();
            for (const int next : neighbours(node)) {
                int& found = hops[static_cast<std::size_t>(next)];
                if (found < 0) {
                    found = hops[static_cast<std::size_t>(node)] + 1;
                    frontier.push(next);
                }
            }
        }
        return hops;
    }

    [[nodiscard]] std::vector<int> coordinates(int node) const {
        std::vector<int> at;
        for (const int extent : shape_.extents) {
            at.push_back(node % extent);
            node /= extent;
        }
        return at;
    }

  private:
    [[nodiscard]] std::vector<int> neighbours(int node) const {
        std::vector<int> found;
        int stride = 1;
        for (const int extent : shape_.extents) {
            const int position = node / stride % extent;
            const int row = node - position * stride;
            if (position + 1 < extent || shape_.end_around) {
                found.push_back(row + (position + 1) % extent * stride);
            }
            if (!shape_.unidirectional && (position > 0 || shape_.end_around)) {
                found.push_back(row + (position + extent - 1) % extent * stride);
            }
            stride *= extent;
        }
        return found;
    }

    NetworkShape shape_;
    int nodes_ = 1;
};

double mean_of(const std::vector<double>& numbers) {
    double sum = 0.0;
    for (const double number : numbers) {
        sum += number;
    }
    return sum / static_cast<double>(numbers.size());
}

std::vector<NetworkShape> shapes() {
    std::vector<NetworkShape> all;
    for (const std::vector<int>& extents : std::vector<std::vector<int>>{
             {2}, {5}, {8}, {8, 4}, {4, 8}, {3, 5, 2}, {1, 6}, {7, 7}, {2, 2, 2, 2}}) {
        all.push_back({.extents = extents});
        all.push_back({.extents = extents, .end_around = true});
        all.push_back({.extents = extents, .end_around = true, .unidirectional = true});
    }
    return all;
}

std::string shape_text(const NetworkShape& shape) {
    std::string words = shape.unidirectional ? "ring" : shape.end_around ? "torus" : "mesh";
    for (const int extent : shape.extents) {
        words += " " + std::to_string(extent);
    }
    return words;
}

// LoGPC (2001), section 3.3, below equation (11). Sums of quarters and eighths are exact; thirds
// may round once.
TEST(MeanDistance, AlewifesIs3875Hops) { EXPECT_DOUBLE_EQ(mean_hops(kAlewifeMesh), 3.875); }

TEST(MeanDistance, AlewifesToOthersIs4Hops) {
    EXPECT_DOUBLE_EQ(mean_hops_to_others(kAlewifeMesh), 4.0);
}

TEST(MeanDistance, IsThatOfAllPairsOfNodes) {
    for (const NetworkShape& shape : shapes()) {
        const Graph graph(shape);
        double hops = 0.0;
        for (int from = 0; from < graph.nodes(); ++from) {
            for (const int to : graph.hops_from(from)) {
                hops += to;
            }
        }
        const double nodes = graph.nodes();
        EXPECT_DOUBLE_EQ(mean_hops(shape), hops / (nodes * nodes)) << shape_text(shape);
        EXPECT_DOUBLE_EQ(mean_hops_to_others(shape), hops / (nodes * (nodes - 1.0)))
            << shape_text(shape);
    }
}

// LoGPC, section 4: (k - 1)/2 hops in one dimension with unidirectional end-around channels.
TEST(MeanDistance, OfAOneWayRingIsHalfOfItsOtherNodes) {
    for (const int extent : {2, 5, 8, 1000}) {
        EXPECT_EQ(mean_hops({.extents = {extent}, .end_around = true, .unidirectional = true}),
                  (extent - 1.0) / 2.0);
    }
}

TEST(MeanDistance, OfATorusIsAQuarterOfItsSides) {
    EXPECT_EQ(mean_hops({.extents = {8, 4}, .end_around = true}), 3.0);
    EXPECT_DOUBLE_EQ(mean_hops({.extents = {5, 5}, .end_around = true}), 2.0 * 6.0 / 5.0);
}

// LogP (1993), section 5.1, 1024 processors: 2D mesh 21, 3D mesh 10, 2D torus 16, 3D torus 7.5,
// hypercube 5 (a 2-ary 10-cube). The paper prints whole numbers; the tolerance is half of one. The
// 3D networks have 10 nodes a side here, for 1024^(1/3) = 10.08.
TEST(MeanDistance, IsThatOfLogpsTable) {
    EXPECT_NEAR(mean_hops({.extents = {32, 32}}), 21.0, 0.5);
    EXPECT_NEAR(mean_hops({.extents = {10, 10, 10}}), 10.0, 0.5);
    EXPECT_EQ(mean_hops({.extents = {32, 32}, .end_around = true}), 16.0);
    EXPECT_EQ(mean_hops({.extents = {10, 10, 10}, .end_around = true}), 7.5);
    EXPECT_EQ(mean_hops({.extents = std::vector<int>(10, 2)}), 5.0);
}

// LoGPC, section 3.3, equation (12). The printed 1.875 counts a row's end after the last node; the
// other results follow from the routes that exist.
TEST(MeanDistance, OfMessagesToNextNumbersIs1875WithARowsEndAfterTheLast) {
    EXPECT_EQ(mean_hops_to_numbered_neighbours(kAlewifeMesh, 1, NumberingEnds::kGoOn), 1.875);
    EXPECT_EQ(mean_hops_to_numbered_neighbours(kAlewifeMesh, 1, NumberingEnds::kEndAround), 1.9375);
    EXPECT_DOUBLE_EQ(mean_hops_to_numbered_neighbours(kAlewifeMesh, 1, NumberingEnds::kNone),
                     52.0 / 31.0);
    // With the short side numbered first, the results differ from 1.875 too.
    const NetworkShape turned = {.extents = {4, 8}};
    EXPECT_EQ(mean_hops_to_numbered_neighbours(turned, 1, NumberingEnds::kGoOn), 1.75);
    EXPECT_EQ(mean_hops_to_numbered_neighbours(turned, 1, NumberingEnds::kEndAround), 1.9375);
}

TEST(MeanDistance, OfNumberedNeighboursIsThatOfTheirPairs) {
    for (const NetworkShape& shape : shapes()) {
        const Graph graph(shape);
        const int nodes = graph.nodes();
        for (const int span : {1, 2, 5}) {
            if (span >= nodes) {
                continue;
            }
            std::vector<double> around;
            std::vector<double> inside;
            for (int node = 0; node < nodes; ++node) {
                const std::vector<int> hops = graph.hops_from(node);
                for (int step = 1; step <= span; ++step) {
                    for (const int other : {node + step, node - step}) {
                        const int wrapped = (other + nodes) % nodes;
                        around.push_back(hops[static_cast<std::size_t>(wrapped)]);
                        if (other == wrapped) {
                            inside.push_back(around.back());
                        }
                    }
                }
            }
            EXPECT_DOUBLE_EQ(
                mean_hops_to_numbered_neighbours(shape, span, NumberingEnds::kEndAround),
                mean_of(around))
                << shape_text(shape) << " span " << span;
            EXPECT_DOUBLE_EQ(mean_hops_to_numbered_neighbours(shape, span, NumberingEnds::kNone),
                             mean_of(inside))
                << shape_text(shape) << " span " << span;
            if (shape.end_around) {
                EXPECT_DOUBLE_EQ(
                    mean_hops_to_numbered_neighbours(shape, span, NumberingEnds::kGoOn),
                    mean_of(around))
                    << shape_text(shape) << " span " << span;
            }
        }
    }
}

// LoGPC, section 3.3: at most l hops in each dimension.
TEST(MeanDistance, WithinASpanIsThatOfTheNodesInIt) {
    for (const NetworkShape& shape : shapes()) {
        const Graph graph(shape);
        for (const int span : {1, 2, 3, 100}) {
            std::vector<double> with_self;
            std::vector<double> to_others;
            for (int from = 0; from < graph.nodes(); ++from) {
                const std::vector<int> hops = graph.hops_from(from);
                const std::vector<int> here = graph.coordinates(from);
                std::vector<double> reached;
                for (int to = 0; to < graph.nodes(); ++to) {
                    const std::vector<int> there = graph.coordinates(to);
                    bool near = true;
                    for (std::size_t d = 0; d < here.size(); ++d) {
                        const int extent = shape.extents[d];
                        const int up = (there[d] - here[d] + extent) % extent;
                        const int down = extent - up;
                        const int along = !shape.end_around      ? std::abs(there[d] - here[d])
                                          : shape.unidirectional ? up
                                                                 : std::min(up, down);
                        near = near && along <= span;
                    }
                    if (near) {
                        reached.push_back(hops[static_cast<std::size_t>(to)]);
                    }
                }
                const double sum = mean_of(reached) * static_cast<double>(reached.size());
                with_self.push_back(mean_of(reached));
                to_others.push_back(sum / (static_cast<double>(reached.size()) - 1.0));
            }
            // Tolerance: rounding of a few hundred sums.
            EXPECT_NEAR(mean_hops_within_span(shape, span, true), mean_of(with_self), 1e-12)
                << shape_text(shape) << " span " << span;
            EXPECT_NEAR(mean_hops_within_span(shape, span, false), mean_of(to_others), 1e-12)
                << shape_text(shape) << " span " << span;
        }
    }
}

TEST(MeanDistance, WithinASpanOfTheWholeMeshIsThatOfRandomDestinations) {
    EXPECT_NEAR(mean_hops_within_span(kAlewifeMesh, 7, true), 3.875, 1e-12);
    EXPECT_NEAR(mean_hops_within_span(kAlewifeMesh, 7, false), 4.0, 1e-12);
}

TEST(MeanDistance, GrowsWithTheSpan) {
    double last = 0.0;
    for (int span = 1; span <= 7; ++span) {
        const double hops = mean_hops_within_span(kAlewifeMesh, span, false);
        EXPECT_GT(hops, last) << span;
        last = hops;
    }
}

std::string distance_refusal(const NetworkShape& shape) {
    try {
        mean_hops(shape);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(MeanDistance, RefusesShapesWithoutDistances) {
    EXPECT_THAT(distance_refusal({}), Names("extents", "given", "accepted"));
    EXPECT_THAT(distance_refusal({.extents = {4, 0}}), Names("extent (k)", "0", "accepted", "1"));
    EXPECT_THAT(distance_refusal({.extents = {4}, .unidirectional = true}),
                Names("channels", "unidirectional", "accepted"));
    EXPECT_THROW(mean_hops({}), ModelError);
    EXPECT_THROW(mean_hops({.extents = {4, 0}}), ModelError);
    EXPECT_EQ(mean_hops({.extents = {1, 1}}), 0.0);
    EXPECT_THROW(mean_hops_to_others({.extents = {1, 1}}), ModelError);
    EXPECT_THROW(mean_hops_within_span(kAlewifeMesh, 0, false), ModelError);
    EXPECT_THROW(mean_hops_within_span({.extents = {1}}, 1, false), ModelError);
    EXPECT_THROW(mean_hops_within_span({.extents = {101, 100}}, 1, false), ModelError);
    EXPECT_NO_THROW(mean_hops_within_span({.extents = {100, 100}}, 1, false));
    EXPECT_THROW(
        mean_hops_to_numbered_neighbours({.extents = {1000, 1000}}, 101, NumberingEnds::kNone),
        ModelError);
    EXPECT_THROW(mean_hops_to_numbered_neighbours(kAlewifeMesh, 32, NumberingEnds::kNone),
                 ModelError);
    EXPECT_THROW(mean_hops_to_numbered_neighbours(kAlewifeMesh, 0, NumberingEnds::kNone),
                 ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
