#include <gtest/gtest.h>

#include <cmath>

#include "experiments/statistics/sample.h"
#include "experiments/statistics/steady_state.h"
#include "experiments/statistics/testing/known_processes.h"

namespace weir::experiments::statistics {
namespace {

using testing::covered;
using testing::KnownProcess;

constexpr std::size_t kBatches = 32;
constexpr double kMean = 10.0;
constexpr int kReplications = 1000;
// Limits for 1,000 intervals that hold with probability 0.95 each: 950 plus or minus 3.9 standard
// deviations of sqrt(1000 * 0.95 * 0.05) = 6.9. A correct interval exceeds these limits in one of
// 10,000 cases.
constexpr int kFewest = 923;
constexpr int kMost = 975;

bool holds(const BatchMeans& means) { return std::abs(means.mean - kMean) <= means.half_width; }

TEST(BatchMeansTest, AreThoseOfBatchesByHand) {
    // Two batches of four values, with means 2.5 and 6.5; one value is left over in front. Each
    // quarter of a batch is a single value.
    const std::vector<double> series{100, 1, 2, 3, 4, 5, 6, 7, 8};
    const BatchMeans means = batch_means(series, 2).value();
    EXPECT_DOUBLE_EQ(means.mean, 4.5);
    // The means have the standard deviation 2.828427, their mean 2; t with one degree is 12.70620.
    EXPECT_NEAR(means.half_width, 25.41241, 1e-5);
    EXPECT_EQ(means.batch_observations, 4U);
    EXPECT_EQ(means.batches, 2U);
    // Sum of products of adjacent deviations from 4.5, over the sum of squares: 26.25 / 42.
    EXPECT_NEAR(means.quarters_lag_1, 0.625, 1e-12);
    EXPECT_TRUE(means.is_correlated);
}

TEST(BatchMeansTest, EveryQuarterNeedsAnObservation) {
    EXPECT_EQ(batch_means(std::vector<double>(kBatches * 4 - 1), kBatches), std::nullopt);
    EXPECT_TRUE(batch_means(std::vector<double>(kBatches * 4), kBatches).has_value());
}

TEST(BatchMeansTest, AConstantHasNoWidthAndNoCorrelation) {
    const BatchMeans means = batch_means(std::vector<double>(1000, 7.0), kBatches).value();
    EXPECT_EQ(means.half_width, 0.0);
    EXPECT_EQ(means.quarters_lag_1, 0.0);
    EXPECT_FALSE(means.is_correlated);
}

TEST(BatchMeansTest, OfIndependentValuesTheIntervalHoldsIn95Of100Cases) {
    const int held = covered(kReplications, [](KnownProcess& process) {
        return holds(*batch_means(process.normals(1280, kMean), kBatches));
    });
    EXPECT_GE(held, kFewest);
    EXPECT_LE(held, kMost);
}

TEST(BatchMeansTest, TheTestOfIndependentValuesFailsIn5Of100Cases) {
    // Limits for the number of failed tests: 50 plus or minus 3.9 standard deviations of 6.9.
    const int failed = covered(kReplications, [](KnownProcess& process) {
        return is_positively_correlated(process.normals(128, kMean));
    });
    EXPECT_GE(failed, 23);
    EXPECT_LE(failed, 77);
}

// With correlation 0.9, the variance of the mean is (1 + 0.9) / (1 - 0.9) = 19 times that of
// independent values. An interval that assumes independence is sqrt(19) too narrow. Such an
// interval contains the mean if a normal number is within 1.96 / sqrt(19) = 0.45 standard
// deviations, in 35 of 100 cases.
TEST(BatchMeansTest, OfDependentValuesTheNaiveIntervalFailsAndThatOfBatchesHolds) {
    constexpr std::size_t kCount = 25'600;
    int naive = 0;
    const int held = covered(kReplications, [&naive](KnownProcess& process) {
        const Sample series{process.autoregressive(kCount, kMean, 0.9)};
        naive += std::abs(series.mean() - kMean) <= *series.half_width() ? 1 : 0;
        return holds(*batch_means(series.values, kBatches));
    });
    EXPECT_GE(held, kFewest);
    EXPECT_LE(held, kMost);
    // Limits for intervals that contain the mean: 350 plus or minus 4 standard deviations of 15.
    EXPECT_GE(naive, 290);
    EXPECT_LE(naive, 410);
}

TEST(BatchMeansTest, TheHalfWidthIsThatOfTheKnownVariance) {
    // Expected half width: t with 31 degrees times 1 / (0.1 sqrt(25,600)). A chi variable of 31
    // degrees has a standard deviation of 12.7 % of its mean; the mean of 200 such variables has
    // 0.9 %.
    double sum = 0.0;
    constexpr int kSeeds = 200;
    covered(kSeeds, [&sum](KnownProcess& process) {
        sum += batch_means(process.autoregressive(25'600, kMean, 0.9), kBatches)->half_width;
        return true;
    });
    EXPECT_NEAR(sum / kSeeds, 2.0395 / (0.1 * 160.0), 0.05 * 2.0395 / 16.0);
}

TEST(BatchMeansTest, BatchesThatAreTooShortAreFoundOut) {
    // With correlation 0.9, quarters of ten values are correlated; quarters of a thousand hardly.
    const auto found = [](std::size_t count) {
        return covered(100, [count](KnownProcess& process) {
            return batch_means(process.autoregressive(count, kMean, 0.9), kBatches)->is_correlated;
        });
    };
    EXPECT_GE(found(1280), 98);
    EXPECT_LE(found(128'000), 20);
}

}  // namespace
}  // namespace weir::experiments::statistics
