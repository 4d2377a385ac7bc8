#include "hw/random_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

namespace weir::hw {
namespace {

using ::testing::ElementsAre;

// The seeds are fixed, so every run has the same results. A correct generator exceeds five standard
// deviations for one seed in two million.
constexpr double kStandardDeviations = 5.0;

std::vector<std::uint64_t> first_three(std::uint64_t seed, std::int32_t node,
                                       std::string_view purpose) {
    RandomStream stream(seed, NodeId(node), purpose);
    return {stream.next(), stream.next(), stream.next()};
}

// Expected values are computed independently, from the published definition of SplitMix64.
TEST(RandomStreamTest, DrawsTheSameBitsOnEveryMachine) {
    EXPECT_THAT(first_three(1, 0, "destination"),
                ElementsAre(0xd430'7e41'5a51'3d26, 0x356f'175b'edcc'8d37, 0x7590'40ce'e1bf'ca39));
    EXPECT_THAT(first_three(1, 1, "destination"),
                ElementsAre(0x164c'4833'0bd5'4a68, 0xe449'2e09'19ed'55f5, 0xef8c'7260'8696'83eb));
    EXPECT_THAT(first_three(1, 0, "work"),
                ElementsAre(0x4fdb'7973'3a6f'f2cd, 0x8cf2'42e7'c94b'c451, 0x8a18'61ee'7069'e0c8));
    EXPECT_THAT(first_three(2, 0, "destination"),
                ElementsAre(0x4b24'ab3d'281c'69b6, 0x79ce'487f'801b'6366, 0x28fb'942f'c7e4'5cbe));
}

// Share of equal bits in two streams; its standard deviation over n bits is 1 / (2 sqrt n).
double equal_bits(RandomStream a, RandomStream b, int words) {
    int equal = 0;
    for (int word = 0; word < words; ++word) {
        equal += 64 - std::popcount(a.next() ^ b.next());
    }
    return equal / (64.0 * words);
}

TEST(RandomStreamTest, StreamsOfOtherSeedsNodesAndPurposesAreIndependent) {
    const int words = 1000;
    const double tolerance = kStandardDeviations * 0.5 / std::sqrt(64.0 * words);
    const RandomStream stream(1, NodeId(0), "work");
    EXPECT_NEAR(equal_bits(stream, {2, NodeId(0), "work"}, words), 0.5, tolerance);
    EXPECT_NEAR(equal_bits(stream, {1, NodeId(1), "work"}, words), 0.5, tolerance);
    EXPECT_NEAR(equal_bits(stream, {1, NodeId(0), "worl"}, words), 0.5, tolerance);
    EXPECT_NEAR(equal_bits(stream, {1, NodeId(0), ""}, words), 0.5, tolerance);
    EXPECT_EQ(equal_bits(stream, stream, words), 1.0) << "the test can fail";
}

TEST(RandomStreamTest, WhatOneStreamDrewChangesNoOther) {
    RandomStream one(1, NodeId(0), "work");
    RandomStream other(1, NodeId(1), "work");
    const std::uint64_t alone = RandomStream(1, NodeId(1), "work").next();
    for (int i = 0; i < 100; ++i) {
        one.next();
    }
    EXPECT_EQ(other.next(), alone);
}

TEST(RandomStreamTest, BelowIsUniformOverItsRange) {
    RandomStream stream(1, NodeId(0), "below");
    const int draws = 60'000;
    std::array<int, 6> counts{};
    for (int i = 0; i < draws; ++i) {
        const std::uint64_t value = stream.below(counts.size());
        ASSERT_LT(value, counts.size());
        ++counts[value];
    }
    double chi_square = 0.0;
    for (const int count : counts) {
        chi_square += std::pow(count - draws / 6.0, 2) / (draws / 6.0);
    }
    EXPECT_LT(chi_square, 35.9) << "chi-square, 5 degrees of freedom, exceeded once in a million";
}

TEST(RandomStreamTest, BelowOneIsZero) {
    RandomStream stream(1, NodeId(0), "below");
    EXPECT_EQ(stream.below(1), 0U);
}

// Share of values below three quarters of 2^64 that fall in the lowest third. A plain remainder
// would draw these values twice as often as the others.
double share_in_the_lowest_third(
    const std::function<std::uint64_t(RandomStream&, std::uint64_t)>& below, int draws) {
    RandomStream stream(1, NodeId(0), "bias");
    constexpr std::uint64_t kThird = std::uint64_t{1} << 62;
    int lowest = 0;
    for (int i = 0; i < draws; ++i) {
        lowest += below(stream, 3 * kThird) < kThird ? 1 : 0;
    }
    return static_cast<double>(lowest) / draws;
}

TEST(RandomStreamTest, BelowHasNoBias) {
    const int draws = 10'000;
    const double tolerance = kStandardDeviations * std::sqrt(1.0 / 3.0 * 2.0 / 3.0 / draws);
    const auto below = [](RandomStream& stream, std::uint64_t bound) {
        return stream.below(bound);
    };
    const auto planted = [](RandomStream& stream, std::uint64_t bound) {
        return stream.next() % bound;
    };
    EXPECT_NEAR(share_in_the_lowest_third(below, draws), 1.0 / 3.0, tolerance);
    EXPECT_GT(share_in_the_lowest_third(planted, draws), 1.0 / 3.0 + tolerance) << "planted";
}

TEST(RandomStreamTest, UnitIsNeverZeroAndAtMostOne) {
    RandomStream stream(1, NodeId(0), "unit");
    for (int i = 0; i < 100'000; ++i) {
        const double value = stream.unit();
        ASSERT_GT(value, 0.0);
        ASSERT_LE(value, 1.0);
    }
}

// Mean and variance of draws, and their tolerances.
struct Moments {
    double mean = 0.0;
    double variance = 0.0;
    double mean_tolerance = 0.0;      // sigma / sqrt(n), for n draws
    double variance_tolerance = 0.0;  // sqrt((m4 - sigma^4) / n), m4 the fourth central moment
};

Moments moments_of(const std::vector<double>& draws) {
    const auto n = static_cast<double>(draws.size());
    Moments moments;
    for (const double draw : draws) {
        moments.mean += draw / n;
    }
    double fourth = 0.0;
    for (const double draw : draws) {
        const double square = std::pow(draw - moments.mean, 2);
        moments.variance += square / n;
        fourth += square * square / n;
    }
    moments.mean_tolerance = kStandardDeviations * std::sqrt(moments.variance / n);
    moments.variance_tolerance =
        kStandardDeviations * std::sqrt((fourth - moments.variance * moments.variance) / n);
    return moments;
}

std::vector<double> draw(double mean, double squared_cv) {
    RandomStream stream(1, NodeId(0), "squared cv");
    std::vector<double> draws(200'000);
    for (double& value : draws) {
        value = stream.with_squared_cv(mean, squared_cv);
    }
    return draws;
}

class SquaredCvTest : public ::testing::TestWithParam<double> {};

TEST_P(SquaredCvTest, MatchesMeanAndVariance) {
    const double squared_cv = GetParam();
    const Moments moments = moments_of(draw(50.0, squared_cv));
    EXPECT_NEAR(moments.mean, 50.0, moments.mean_tolerance);
    EXPECT_NEAR(moments.variance, squared_cv * 2500.0, moments.variance_tolerance);
}

INSTANTIATE_TEST_SUITE_P(FromErlangToHyperexponential, SquaredCvTest,
                         ::testing::Values(0.3, 1.0 / 3.0, 0.5, 0.7, 1.0, 4.0));

TEST(RandomStreamTest, SquaredCvOfZeroIsAConstant) {
    RandomStream stream(1, NodeId(0), "constant");
    EXPECT_EQ(stream.with_squared_cv(50.0, 0.0), 50.0);
}

TEST(RandomStreamTest, SquaredCvOfAWholeFractionIsANumber) {
    RandomStream stream(1, NodeId(0), "whole fractions");
    for (int phases = 1; phases <= 3000; ++phases) {
        ASSERT_GT(stream.with_squared_cv(50.0, 1.0 / phases), 0.0) << "1 / " << phases;
    }
}

TEST(RandomStreamTest, PlantedExponentialIsNotTakenForAnErlang) {
    const Moments moments = moments_of(draw(50.0, 1.0));
    EXPECT_GT(std::abs(moments.variance - 0.7 * 2500.0), moments.variance_tolerance);
}

}  // namespace
}  // namespace weir::hw
