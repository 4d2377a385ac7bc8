#include "experiments/pages/varied_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Whole = std::int64_t;
using List = std::vector<std::int64_t>;

VariedPoint at(Whole nodes, Whole hops, const std::string& style = "sync") {
    return {"",
            {{"machine.nodes", nodes},
             {"network.dimensions", List{nodes / 2, 2}},
             {"network.hop_cycles", hops},
             {"workload.style", style},
             {"network.flit_bytes", Whole{2}}}};
}

TEST(VariedPointsTest, TheNumberWithMostValuesIsTheAxisAndTheRestTellsCurvesApart) {
    const std::vector<VariedPoint> points{at(8, 4), at(16, 4), at(32, 4),
                                          at(8, 1), at(16, 1), at(32, 1)};
    const auto curves = curves_of(points);
    ASSERT_TRUE(curves);
    EXPECT_EQ(curves->key, "machine.nodes");
    ASSERT_EQ(curves->series.size(), 2U);
    EXPECT_EQ(curves->series[0].name, setup::spaced_name("hop_cycles") + " = 4");
    EXPECT_THAT(curves->series[1].points, ElementsAre(Pair(8, 3), Pair(16, 4), Pair(32, 5)));
}

TEST(VariedPointsTest, CurvesRunFromTheLeastNumberOn) {
    const auto curves = curves_of({at(8, 4), at(8, 1), at(8, 2)});
    ASSERT_TRUE(curves);
    EXPECT_EQ(curves->key, "network.hop_cycles");
    ASSERT_EQ(curves->series.size(), 1U);
    EXPECT_EQ(curves->series[0].name, "");
    EXPECT_THAT(curves->series[0].points, ElementsAre(Pair(1, 1), Pair(2, 2), Pair(4, 0)));
}

TEST(VariedPointsTest, TwoValuesAreNoAxis) {
    EXPECT_FALSE(curves_of({at(8, 1), at(8, 2)}));
    EXPECT_FALSE(curves_of({at(8, 1, "a"), at(8, 1, "b"), at(8, 1, "c")}));
}

TEST(VariedPointsTest, TheStrongestKeyIsTheOneWhoseValuesDifferMost) {
    std::vector<VariedPoint> points;
    std::vector<std::optional<double>> by_nodes;
    std::vector<std::optional<double>> by_style;
    for (const Whole nodes : {8, 16, 32}) {
        for (const Whole hops : {1, 2, 3, 4, 5}) {
            for (const bool is_sync : {true, false}) {
                points.push_back(at(nodes, hops, is_sync ? "sync" : "async"));
                by_nodes.emplace_back(1000.0 + 10.0 * static_cast<double>(nodes) +
                                      static_cast<double>(hops));
                by_style.emplace_back(1000.0 + static_cast<double>(hops) + (is_sync ? 100 : 0));
            }
        }
    }
    EXPECT_EQ(strongest_key(points, by_nodes), "machine.nodes");
    EXPECT_EQ(strongest_number(points, by_nodes), "machine.nodes");
    EXPECT_EQ(strongest_key(points, by_style), "workload.style");
    EXPECT_EQ(strongest_number(points, by_style), "network.hop_cycles");
    const std::vector<std::optional<double>> equal(points.size(), 7.0);
    EXPECT_EQ(strongest_key(points, equal), "");
    const CategoryCurves over = category_curves_of(points, "workload.style");
    EXPECT_THAT(over.categories, ElementsAre("sync", "async"));
    EXPECT_EQ(over.curves.series.size(), 15U);
    EXPECT_THAT(over.curves.series.front().points, ElementsAre(Pair(0, 0), Pair(1, 1)));
}

TEST(VariedPointsTest, OfKeysThatGoTogetherOneIsKept) {
    EXPECT_THAT(independent_keys({at(8, 1), at(16, 1), at(8, 2), at(16, 2)}),
                ElementsAre("machine.nodes", "network.hop_cycles"));
}

TEST(VariedPointsTest, ManyCurvesAreSplitByAKeyInWhichTheyDiffer) {
    std::vector<VariedPoint> points;
    for (const Whole nodes : {8, 16, 32, 64, 128, 256}) {
        for (const Whole hops : {1, 2, 3, 4, 5}) {
            points.push_back(at(nodes, hops, "sync"));
            points.push_back(at(nodes, hops, "async"));
        }
    }
    const auto curves = curves_of(points);
    ASSERT_TRUE(curves);
    ASSERT_EQ(curves->series.size(), 10U);
    const std::vector<PointCurves> groups = split_curves(points, *curves, 8);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].series.size(), 5U);
    EXPECT_EQ(groups[1].series.front().name,
              setup::spaced_name("hop_cycles") + " = 1, style = async");
    EXPECT_EQ(split_curves(points, *curves, 10).size(), 1U);
}

TEST(VariedPointsTest, ScalesAreLogarithmicWhereValuesGrowByFactors) {
    EXPECT_TRUE(grows_by_factors({1, 2, 4, 8, 16}));
    EXPECT_TRUE(grows_by_factors({8, 327680, 64, 1024}));
    EXPECT_FALSE(grows_by_factors({0, 1, 10, 100}));
    EXPECT_FALSE(grows_by_factors({10, 20, 30}));
    EXPECT_FALSE(grows_by_factors({1, 100}));
}

}  // namespace
}  // namespace weir::experiments::pages
