#include "experiments/setup/parameters/number_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::setup {
namespace {

using ::testing::ElementsAre;

TEST(NumberRangeTest, StepsIncludeBothEnds) {
    EXPECT_THAT((NumberRange{0, 300, 100}.values()), ElementsAre(0, 100, 200, 300));
    EXPECT_THAT((NumberRange{0, 250, 100}.values()), ElementsAre(0, 100, 200));
    EXPECT_THAT((NumberRange{0.1, 0.4, 0.1}.values()), ElementsAre(0.1, 0.2, 0.3, 0.4));
    EXPECT_THAT((NumberRange{4, 1, -1}.values()), ElementsAre(4, 3, 2, 1));
}

TEST(NumberRangeTest, FactorsIncludeBothEnds) {
    EXPECT_THAT((NumberRange{1, 1000, 10, true}.values()), ElementsAre(1, 10, 100, 1000));
    EXPECT_THAT((NumberRange{16, 2, 0.5, true}.values()), ElementsAre(16, 8, 4, 2));
    EXPECT_THAT((NumberRange{3, 3, 2, true}.values()), ElementsAre(3));
}

TEST(NumberRangeTest, StepsThatDoNotLeadThere) {
    EXPECT_EQ((NumberRange{0, 10, 0}.steps()), std::nullopt);
    EXPECT_EQ((NumberRange{0, 10, -1}.steps()), std::nullopt);
    EXPECT_EQ((NumberRange{0, 10, 2, true}.steps()), std::nullopt);
    EXPECT_EQ((NumberRange{1, 10, 0.5, true}.steps()), std::nullopt);
    EXPECT_EQ((NumberRange{1, 10, 1, true}.steps()), std::nullopt);
}

TEST(NumberRangeTest, EvenlySpaced) {
    EXPECT_THAT(evenly_spaced(0, 1, 5, false), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_THAT(evenly_spaced(1, 10'000, 5, true), ElementsAre(1, 10, 100, 1000, 10'000));
    EXPECT_THAT(evenly_spaced(8, 2, 3, true), ElementsAre(8, 4, 2));
}

}  // namespace
}  // namespace weir::experiments::setup
