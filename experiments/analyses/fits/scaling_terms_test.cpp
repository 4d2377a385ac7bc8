#include "experiments/analyses/fits/scaling_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weir::experiments::analyses {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

RunScale machine(double nodes, double size_of_node = 1.0) {
    RunScale scale;
    scale.nodes = nodes;
    scale.size_of_node = size_of_node;
    return scale;
}

std::size_t index_of(const ScalingTerms& terms, const std::string& formula) {
    return static_cast<std::size_t>(
        std::find(terms.formulas.begin(), terms.formulas.end(), formula) - terms.formulas.begin());
}

TEST(ScalingTermsTest, ValuesAreThoseOfTheFormulas) {
    const ScalingTerms terms = scaling_terms({machine(4.0), machine(16.0), machine(64.0)}, {});
    EXPECT_EQ(terms.values[2][index_of(terms, "1")], 1.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "log P")], 6.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "√P")], 8.0);
    EXPECT_EQ(terms.values[0][index_of(terms, "(P − 1) / P")], 0.75);
    // Without a problem size, terms of it are proportional to others.
    EXPECT_THAT(terms.formulas, Not(Contains("n")));
    EXPECT_THAT(terms.formulas, Not(Contains("D")));
}

TEST(ScalingTermsTest, ProblemSizeAndNetworkHaveTerms) {
    std::vector<RunScale> machines{machine(4.0, 4.0), machine(16.0), machine(64.0, 9.0)};
    for (RunScale& each : machines) {
        each.mean_hops = each.nodes / 3.0 + 1.0;
        each.bisection_channels = 4.0;
    }
    const ScalingTerms terms = scaling_terms(machines, {});
    EXPECT_THAT(terms.formulas, Contains("n log P"));
    EXPECT_EQ(terms.values[0][index_of(terms, "√n")], 2.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "P / C")], 16.0);
}

RunScale loaded(double nodes, double operations, double messages, double imbalance = 1.0) {
    RunScale run = machine(nodes);
    run.loads =
        firmware::NodeLoads{{operations, messages}, {operations * imbalance, messages * imbalance}};
    return run;
}

TEST(ScalingTermsTest, LoadsTakeThePlaceOfPowersOfP) {
    std::vector<RunScale> runs{loaded(4.0, 90.0, 6.0), loaded(16.0, 95.0, 30.0),
                               loaded(64.0, 99.0, 126.0)};
    for (RunScale& run : runs) {
        run.mean_hops = run.nodes / 4.0;
        run.bisection_channels = std::sqrt(run.nodes);
        run.channels = 2.0 * run.nodes;
    }
    const ScalingTerms terms = scaling_terms(runs, {});
    EXPECT_EQ(terms.values[1][index_of(terms, "w")], 95.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "m")], 126.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "m U")], 126.0 * 16.0 * 64.0 / 128.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "m P / C")], 126.0 * 8.0);
    EXPECT_THAT(terms.formulas, Not(Contains("(P − 1)")));
    EXPECT_THAT(terms.formulas, Not(Contains("√P")));
}

// A sum has loads, or loads divided by n.
TEST(ScalingTermsTest, LoadsOfAPartAreApartFromLoads) {
    std::vector<RunScale> runs{loaded(4.0, 800.0, 10.0), loaded(16.0, 210.0, 9.0),
                               loaded(64.0, 51.0, 9.5)};
    runs[0].size_of_node = 4.0;
    runs[2].size_of_node = 0.25;
    const ScalingTerms terms = scaling_terms(runs, {});
    const std::size_t whole = index_of(terms, "m");
    const std::size_t part = index_of(terms, "m / n");
    EXPECT_EQ(terms.values[2][part], 38.0);
    for (const std::vector<std::size_t>& sum : terms.sums) {
        EXPECT_FALSE(std::find(sum.begin(), sum.end(), whole) != sum.end() &&
                     std::find(sum.begin(), sum.end(), part) != sum.end());
    }
}

TEST(ScalingTermsTest, ModelsAreMultipliedByTheImbalance) {
    std::vector<RunScale> runs{loaded(4.0, 0.0, 10.0, 1.1), loaded(16.0, 0.0, 10.0, 1.2),
                               loaded(64.0, 0.0, 10.0, 1.5)};
    for (RunScale& run : runs) {
        run.models = {std::sqrt(run.nodes)};
    }
    const ScalingTerms terms = scaling_terms(runs, {"lopc"});
    EXPECT_DOUBLE_EQ(terms.values[2][index_of(terms, "lopc b")], 12.0);
    EXPECT_THAT(terms.formulas, Not(Contains("w")));  // no node has operations
}

TEST(ScalingTermsTest, ModelsAreTermsAndSumsHaveThreeTermsAtMost) {
    std::vector<RunScale> machines{machine(4.0), machine(16.0), machine(64.0)};
    machines[0].models = {10.0};
    machines[1].models = {11.0};
    machines[2].models = {15.0};
    const ScalingTerms terms = scaling_terms(machines, {"lopc"});
    const std::size_t model = index_of(terms, "lopc");
    EXPECT_EQ(terms.values[2][model], 15.0);
    EXPECT_THAT(terms.sums, Contains(ElementsAre(model)));
    for (const std::vector<std::size_t>& sum : terms.sums) {
        EXPECT_LE(sum.size(), 3U);
        EXPECT_TRUE(sum.size() < 3 || sum.front() == index_of(terms, "1"));
    }
}

}  // namespace
}  // namespace weir::experiments::analyses
