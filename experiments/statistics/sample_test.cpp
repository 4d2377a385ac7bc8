#include "experiments/statistics/sample.h"

#include <gtest/gtest.h>

namespace weir::experiments::statistics {
namespace {

// Two samples of fifteen: the difference has a standard error of 0.882425 and 24.9885 degrees of
// freedom. The quantile of t is 2.059586, by Simpson's rule over the density.
TEST(WelchTest, AsByHand) {
    const Sample a{
        {27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4}};
    const Sample b{
        {27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4}};
    EXPECT_NEAR(a.mean(), 20.82, 1e-12);
    EXPECT_NEAR(b.mean(), 22.98667, 1e-5);
    EXPECT_NEAR(a.variance(), 7.867429, 1e-6);
    EXPECT_NEAR(b.variance(), 3.812667, 1e-6);
    EXPECT_NEAR(welch_half_width(a, b).value(), 1.817430, 1e-5);
}

TEST(WelchTest, OfEqualVariancesAndSizesItIsStudents) {
    // Both samples have five values and variance 2.5: standard error 1, eight degrees of freedom,
    // t = 2.306004.
    const Sample a{{1, 2, 3, 4, 5}};
    const Sample b{{11, 12, 13, 14, 15}};
    EXPECT_NEAR(welch_half_width(a, b).value(), 2.306004, 1e-6);
}

TEST(WelchTest, WithoutVarianceItIsExactAndOfSingleValuesThereIsNone) {
    EXPECT_EQ(welch_half_width({{3, 3}}, {{4, 4, 4}}), 0.0);
    EXPECT_EQ(welch_half_width({{3}}, {{4, 4}}), std::nullopt);
}

// The fourth powers of the values are too small for a double.
TEST(WelchTest, VerySmallVariancesHaveAnIntervalToo) {
    constexpr double kScale = 1e-150;
    const Sample a{{1 * kScale, 2 * kScale, 3 * kScale, 4 * kScale, 5 * kScale}};
    const Sample b{{11 * kScale, 12 * kScale, 13 * kScale, 14 * kScale, 15 * kScale}};
    EXPECT_NEAR(welch_half_width(a, b).value() / kScale, 2.306004, 1e-6);
}

// The standard deviation is 1.581139, that of the mean 0.707107; t with four degrees is 2.776445.
TEST(SampleTest, TheHalfWidthIsStudents) {
    EXPECT_NEAR((Sample{{1, 2, 3, 4, 5}}).half_width().value(), 1.963243, 1e-6);
    EXPECT_EQ((Sample{{1}}).half_width(), std::nullopt);
    EXPECT_EQ(Sample{}.mean(), 0.0);
}

// The mean of equal values can differ from them in the last bit.
TEST(SampleTest, EqualValuesHaveAnIntervalOf0) {
    constexpr double kThird = 7960.0 / 3.0;
    const Sample same{std::vector<double>(5, kThird)};
    EXPECT_NE(same.mean(), kThird);
    EXPECT_EQ(same.half_width(), 0.0);
    EXPECT_EQ(welch_half_width(same, same), 0.0);
    EXPECT_EQ((Sample{{0.1 + 0.2, 0.3}}).half_width(), 0.0);
    EXPECT_GT((Sample{{1e11, 1e11 + 1.0}}).half_width(), 0.0);
}

TEST(SampleTest, TheMeanOfMeansHasTheWidthOfTheirSum) {
    // The half width for the mean of two is half of that for their difference.
    const Sample a{{1, 2, 3, 4, 5}};
    const Sample b{{10, 14}};
    EXPECT_DOUBLE_EQ(half_width_of_mean({a, b}).value(), welch_half_width(a, b).value() / 2.0);
    EXPECT_DOUBLE_EQ(half_width_of_mean({a}).value(), a.half_width().value());
    EXPECT_EQ(half_width_of_mean({a, {{3}}}), std::nullopt);
    EXPECT_EQ(half_width_of_mean({}), std::nullopt);
}

}  // namespace
}  // namespace weir::experiments::statistics
