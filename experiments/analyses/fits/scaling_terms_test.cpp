#include "experiments/analyses/fits/scaling_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::analyses {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

MachineScale machine(double nodes, double size_of_node = 1.0) {
    MachineScale scale;
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
    std::vector<MachineScale> machines{machine(4.0, 4.0), machine(16.0), machine(64.0, 9.0)};
    for (MachineScale& each : machines) {
        each.mean_hops = each.nodes / 3.0 + 1.0;
        each.bisection_channels = 4.0;
    }
    const ScalingTerms terms = scaling_terms(machines, {});
    EXPECT_THAT(terms.formulas, Contains("n log P"));
    EXPECT_EQ(terms.values[0][index_of(terms, "√n")], 2.0);
    EXPECT_EQ(terms.values[2][index_of(terms, "P / C")], 16.0);
}

TEST(ScalingTermsTest, ModelsAreTermsAndSumsHaveThreeTermsAtMost) {
    std::vector<MachineScale> machines{machine(4.0), machine(16.0), machine(64.0)};
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
