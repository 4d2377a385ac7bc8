#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "firmware/kernels/diamond_dag/diamond_dag.h"

namespace weir::firmware {
namespace {

using ::testing::ElementsAre;

std::vector<std::int32_t> mapped(StripeMapping mapping, std::vector<std::int32_t> extents,
                                 std::uint64_t seed = 1) {
    std::vector<std::int32_t> indices;
    for (const hw::NodeId node : map_stripes(mapping, {.mesh_extents = std::move(extents)}, seed)) {
        indices.push_back(node.index());
    }
    return indices;
}

bool is_permutation(std::vector<std::int32_t> indices) {
    std::sort(indices.begin(), indices.end());
    std::vector<std::int32_t> all(indices.size());
    std::iota(all.begin(), all.end(), 0);
    return indices == all;
}

// Hops between nodes, from coordinates. x changes fastest, as in the numbering of
// network/topology/mesh.h.
std::int32_t distance(std::int32_t a, std::int32_t b, const std::vector<std::int32_t>& extents) {
    std::int32_t hops = 0;
    for (const std::int32_t extent : extents) {
        hops += std::abs(a % extent - b % extent);
        a /= extent;
        b /= extent;
    }
    return hops;
}

TEST(StripeMappingTest, SnakeGoesAlongXAndBack) {
    EXPECT_THAT(mapped(StripeMapping::kSnake, {3, 2}), ElementsAre(0, 1, 2, 5, 4, 3));
    EXPECT_THAT(mapped(StripeMapping::kSnake, {2, 2, 2}), ElementsAre(0, 1, 3, 2, 6, 7, 5, 4));
    EXPECT_THAT(mapped(StripeMapping::kSnake, {4}), ElementsAre(0, 1, 2, 3));
}

TEST(StripeMappingTest, EveryStepOfTheSnakeIsOneHop) {
    const std::vector<std::vector<std::int32_t>> meshes{
        {8, 4}, {4, 8},    {5, 3},    {3, 5},       {1, 7},
        {32},   {4, 3, 5}, {3, 3, 3}, {5, 1, 2, 3}, {2, 2, 2, 2, 2}};
    for (const auto& extents : meshes) {
        const std::vector<std::int32_t> nodes = mapped(StripeMapping::kSnake, extents);
        ASSERT_TRUE(is_permutation(nodes)) << ::testing::PrintToString(extents);
        for (std::size_t stripe = 1; stripe < nodes.size(); ++stripe) {
            EXPECT_EQ(distance(nodes[stripe - 1], nodes[stripe], extents), 1)
                << ::testing::PrintToString(extents) << ", stripe " << stripe;
        }
    }
}

TEST(StripeMappingTest, NodeOrderIsStripeByStripe) {
    EXPECT_THAT(mapped(StripeMapping::kNodeOrder, {3, 2}), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(StripeMappingTest, RandomIsAPermutationThatTheSeedChooses) {
    const std::vector<std::int32_t> nodes = mapped(StripeMapping::kRandom, {8, 4}, 1);
    EXPECT_EQ(nodes.size(), 32U);
    EXPECT_TRUE(is_permutation(nodes));
    EXPECT_EQ(mapped(StripeMapping::kRandom, {8, 4}, 1), nodes);
    EXPECT_NE(mapped(StripeMapping::kRandom, {8, 4}, 2), nodes);
}

// All six orders of three stripes are equally probable.
TEST(StripeMappingTest, RandomIsUniform) {
    std::array<int, 9> count{};
    for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
        const std::vector<std::int32_t> nodes = mapped(StripeMapping::kRandom, {3}, seed);
        ++count.at(static_cast<std::size_t>(3 * nodes[0] + nodes[1]));
    }
    for (const std::size_t order : {1U, 2U, 3U, 5U, 6U, 7U}) {
        // The mean is 1,000; 144 is five standard deviations.
        EXPECT_NEAR(count.at(order), 1'000, 144) << order;
    }
}

}  // namespace
}  // namespace weir::firmware
