#include "network/routing/ordered_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "network/testing/has_circle.h"

namespace weir::network {
namespace {

using testing::has_circle;
using Vertex = EdgeSet::Vertex;

void expect_order(const EdgeSet& edges, const Levels& levels) {
    for (const auto& [from, into] : edges.edges()) {
        ASSERT_LT(levels[from], levels[into]) << from << " to " << into;
    }
}

// Graphs of 2 to 13 vertices. The first edges are given at once, the others one by one until they
// close a cycle.
TEST(LevelsTest, HoldUntilAnEdgeClosesACircle) {
    hw::RandomStream random(1, hw::NodeId(0), "ordered edges");
    std::size_t longest = 0;
    for (int graph = 0; graph < 500; ++graph) {
        const auto count = static_cast<std::uint32_t>(2 + random.below(12));
        const auto vertex = [&] { return static_cast<Vertex>(random.below(count)); };
        EdgeSet edges(count);
        for (std::uint64_t i = random.below(count); i > 0; --i) {
            const Vertex one = vertex();
            const Vertex other = vertex();
            if (one != other) {
                edges.add(std::min(one, other), std::max(one, other));
            }
        }
        Levels levels(edges);
        expect_order(edges, levels);
        while (levels.add(vertex(), vertex())) {
            ASSERT_FALSE(has_circle(edges.edges(), count));
            ASSERT_NO_FATAL_FAILURE(expect_order(edges, levels));
            longest = std::max(longest, edges.edges().size());
        }
        ASSERT_TRUE(has_circle(edges.edges(), count));
    }
    EXPECT_GT(longest, 12U);
}

TEST(EdgeSetTest, HasEachEdgeOnce) {
    EdgeSet edges(3);
    for (const Vertex into : {2U, 1U, 2U, 2U, 1U}) {
        edges.add(0, into);
    }
    EXPECT_EQ(edges.edges(), (std::vector<std::pair<Vertex, Vertex>>{{0, 1}, {0, 2}}));
    EXPECT_EQ(edges.behind(0), (std::vector<Vertex>{1, 2}));
}

}  // namespace
}  // namespace weir::network
