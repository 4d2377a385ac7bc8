#include "experiments/models/memory_logp/latency_prediction.h"

#include <gtest/gtest.h>

#include "experiments/models/memory_logp/memory_logp.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kKilobyte = 1024;
constexpr std::int64_t kDestination = std::int64_t{1} << 26;

// A transfer of s bytes of integers at a stride, as in section 7.
AccessPattern integers(TransferKind kind, std::int64_t data_bytes, std::int64_t stride_bytes) {
    return {kind, 4, stride_bytes, data_bytes / 4, 3, 0, kDestination};
}

double fitted_cycles_per_byte(const AccessPattern& pattern) {
    return latency_from_fitted_curve(pentium3_hierarchy(), pattern).latency_cycles_per_element() /
           static_cast<double>(pattern.element_bytes);
}

// Figure 5's axes on the Pentium III; its measurements are not in the text. Plateaus begin where
// the lines of both arrays exceed 16 kB and 256 kB. By hand: at strides of a line or more an
// element enters 2 lines, contiguous elements 1/4 line.
TEST(FittedCurve, HasAPlateauForEachCacheLevel) {
    const auto copy = [](std::int64_t data_bytes) {
        return fitted_cycles_per_byte(integers(TransferKind::kCopy, data_bytes, 64));
    };
    EXPECT_EQ(copy(4), 0.0);
    // 512 lines of both arrays fill the first level's 16 kB.
    EXPECT_EQ(copy(1024), 0.0);
    EXPECT_EQ(copy(1028), 2.0 * 7.0 / 4.0);  // the strided data exceed the first level
    EXPECT_EQ(copy(8192), 2.0 * 7.0 / 4.0);
    // Contiguous data exceed the first level, too.
    EXPECT_EQ(copy(8224), 1.75 * 7.0 / 4.0);
    // 8192 lines of both arrays fill the second level's 256 kB.
    EXPECT_EQ(copy(16384), 1.75 * 7.0 / 4.0);
    // The strided data exceed the second level.
    EXPECT_EQ(copy(16388), (1.75 * 7.0 + 2.0 * 70.0) / 4.0);
    EXPECT_EQ(copy(128 * kKilobyte), (1.75 * 7.0 + 2.0 * 70.0) / 4.0);
    EXPECT_EQ(copy(256 * kKilobyte), 1.75 * 77.0 / 4.0);
}

TEST(FittedCurve, KeepsAFootprintThatJustFits) {
    for (std::int64_t elements = 1; elements <= 2000; ++elements) {
        const AccessPattern pattern{TransferKind::kCopy, 4, 32, elements, 1, 0, kDestination};
        const auto misses = [&](std::int64_t lines) {
            return latency_from_fitted_curve({{{32 * lines, 32, kFullyAssociative, 1.0}}, {}},
                                             pattern)
                .levels.front()
                .misses_per_element;
        };
        EXPECT_EQ(misses(2 * elements), 0.0) << elements;
        EXPECT_EQ(misses(2 * elements - 1), 2.0) << elements;
    }
}

// Section 6: strides longer than a line measure alike.
TEST(FittedCurve, DoesNotChangeWithStridesBeyondALine) {
    for (const std::int64_t data_bytes : {std::int64_t{64}, std::int64_t{4096}, 128 * kKilobyte}) {
        const double at_a_line =
            fitted_cycles_per_byte(integers(TransferKind::kCopy, data_bytes, 32));
        for (const std::int64_t stride : {std::int64_t{64}, std::int64_t{2048}, 128 * kKilobyte}) {
            EXPECT_EQ(fitted_cycles_per_byte(integers(TransferKind::kCopy, data_bytes, stride)),
                      at_a_line);
        }
    }
}

TEST(FittedCurve, GrowsWithStridesWithinALine) {
    // 1 MB of data exceeds both levels at every stride. Number of lines per element: 2d/32.
    for (const std::int64_t stride : {4, 8, 16, 32}) {
        const double lines_beyond_contiguous = 2.0 * static_cast<double>(stride - 4) / 32.0;
        EXPECT_EQ(fitted_cycles_per_byte(integers(TransferKind::kCopy, 1 << 20, stride)),
                  lines_beyond_contiguous * 77.0 / 4.0);
    }
}

// Section 5: l = 0 for contiguous data.
TEST(LatencyPrediction, IsNoneForContiguousData) {
    for (const auto kind :
         {TransferKind::kCopy, TransferKind::kPack, TransferKind::kUnpack, TransferKind::kRead}) {
        for (const std::int64_t data_bytes : {std::int64_t{4}, kKilobyte, 64 * kKilobyte}) {
            const AccessPattern pattern = integers(kind, data_bytes, 4);
            EXPECT_EQ(fitted_cycles_per_byte(pattern), 0.0);
            EXPECT_EQ(latency_from_stack_distances(pentium3_hierarchy(), pattern)
                          .latency_cycles_per_element(),
                      0.0);
        }
    }
}

// Section 9 measured pack at l = 0 and unpack dominant. The sum of section 8 charges misses of
// stores and loads alike, so it gives both the same l.
TEST(FittedCurve, CannotTellPackFromUnpack) {
    const double pack = fitted_cycles_per_byte(integers(TransferKind::kPack, 1 << 20, 64));
    EXPECT_EQ(pack, (1.0 - 0.125) * 77.0 / 4.0);
    EXPECT_EQ(fitted_cycles_per_byte(integers(TransferKind::kUnpack, 1 << 20, 64)), pack);
}

// Section 2 on the Pentium III: unpacking 1024 x 1024 doubles at a stride of 32 bytes. The measured
// l is 5.97 cycles per byte (0.062 s less 0.0083 s at 933 MHz).
TEST(FittedCurve, ComesWithin21PercentOfTheMotivatingExample) {
    const AccessPattern unpack{TransferKind::kUnpack, 8, 32, 1024 * kKilobyte, 3, 0, kDestination};
    const double predicted = fitted_cycles_per_byte(unpack);
    EXPECT_EQ(predicted, (1.25 - 0.5) * 77.0 / 8.0);  // 7.22
    const double measured =
        measured_memory_logp({0.0083, 0.062, 1024 * kKilobyte * 8, 933.0}).latency_cycles_per_byte;
    EXPECT_NEAR(predicted / measured - 1.0, 0.2086, 5e-5);
}

// Stack distances of an eighth of the same loop, still four times the second level. Both levels
// agree with the fitted curve; pages add 8 + 32 bytes per element against 8 + 8.
TEST(StackDistances, AgreeWithTheFittedCurveOnTheMotivatingExampleButForPages) {
    const AccessPattern unpack{TransferKind::kUnpack, 8, 32, 128 * kKilobyte, 3, 0, kDestination};
    MemoryHierarchyGeometry geometry = pentium3_hierarchy();
    const double pages = (40.0 - 16.0) / 4096.0;
    EXPECT_EQ(latency_from_stack_distances(geometry, unpack).latency_cycles_per_element(),
              0.75 * 77.0 + pages * 14.0);
    geometry.tlb.entries = 0;
    EXPECT_EQ(latency_from_stack_distances(geometry, unpack).latency_cycles_per_element(),
              0.75 * 77.0);
}

// With the paper's assumptions (full associativity, no TLB) the exact distances agree with the
// fitted curve, except where a footprint just fills a level.
TEST(StackDistances, AreTheFittedCurveUnderThePapersAssumptions) {
    const MemoryHierarchyGeometry geometry = {
        {{2048, 32, kFullyAssociative, 7.0}, {16384, 32, kFullyAssociative, 70.0}}, {}};
    int beyond_a_level = 0;
    for (const auto kind :
         {TransferKind::kCopy, TransferKind::kPack, TransferKind::kUnpack, TransferKind::kRead}) {
        for (std::int64_t stride = 4; stride <= 256; stride *= 2) {
            for (std::int64_t elements = 1; elements <= 16384; elements *= 2) {
                const AccessPattern pattern{kind, 4, stride, elements, 3, 0, kDestination};
                const LatencyPrediction fitted = latency_from_fitted_curve(geometry, pattern);
                const LatencyPrediction exact = latency_from_stack_distances(geometry, pattern);
                for (std::size_t level = 0; level < 2; ++level) {
                    EXPECT_EQ(exact.levels[level].misses_per_element,
                              fitted.levels[level].misses_per_element)
                        << "level " << level << " stride " << stride << " elements " << elements;
                    EXPECT_EQ(exact.levels[level].contiguous_misses_per_element,
                              fitted.levels[level].contiguous_misses_per_element);
                    EXPECT_EQ(exact.levels[level].references_per_element,
                              fitted.levels[level].references_per_element);
                    EXPECT_EQ(exact.levels[level].first_repetition_misses_per_element,
                              fitted.levels[level].first_repetition_misses_per_element);
                    beyond_a_level += fitted.levels[level].misses_per_element > 0.0 ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(beyond_a_level, 100);
}

// 64 integers a page apart in both arrays: 128 lines, which fit 16 kB by the fitted curve. The
// lines share one set of 4 ways in the first level and 8 sets of 8 ways in the second. Their pages
// share 16 sets of 4 ways in the TLB.
TEST(StackDistances, SeeConflictsAndPagesThatTheFittedCurveDoesNot) {
    const AccessPattern pattern{TransferKind::kCopy, 4, 4096, 64, 3, 0, 256 * kKilobyte};
    EXPECT_EQ(fitted_cycles_per_byte(pattern), 0.0);
    const LatencyPrediction exact = latency_from_stack_distances(pentium3_hierarchy(), pattern);
    EXPECT_EQ(exact.levels[0].latency_cycles_per_element(), 2.0 * 7.0);
    EXPECT_EQ(exact.levels[1].latency_cycles_per_element(), 2.0 * 70.0);
    ASSERT_TRUE(exact.tlb.has_value());
    EXPECT_EQ(exact.tlb->latency_cycles_per_element(), 2.0 * 14.0);
    EXPECT_EQ(exact.latency_cycles_per_element(), 2.0 * (7.0 + 70.0 + 14.0));
}

// Four direct-mapped lines of 16 bytes. Contiguous source and destination share a set, so every
// reference misses. Unpacked at a stride of 20 bytes, only the first two elements' references miss.
TEST(StackDistances, GiveALatencyBelowNoneWhereContiguousArraysCollide) {
    const MemoryHierarchyGeometry geometry = {{{64, 16, 1, 10.0}}, {}};
    const AccessPattern pattern{TransferKind::kUnpack, 4, 20, 4, 3, 0, 64};
    const LatencyPrediction exact = latency_from_stack_distances(geometry, pattern);
    EXPECT_EQ(exact.contiguous_miss_cycles_per_element(), 20.0);
    EXPECT_EQ(exact.latency_cycles_per_element(), 5.0 - 20.0);
}

TEST(StackDistances, TellTheFirstRepetitionFromTheSteadyState) {
    // 1 kB of integers: 32 lines and one page for each contiguous array, all of which fit.
    const LatencyPrediction exact =
        latency_from_stack_distances(pentium3_hierarchy(), integers(TransferKind::kCopy, 1024, 4));
    EXPECT_EQ(exact.first_repetition_miss_cycles_per_element(), (64.0 * 77.0 + 2.0 * 14.0) / 256.0);
    EXPECT_EQ(exact.contiguous_miss_cycles_per_element(), 0.0);
    EXPECT_EQ(exact.levels[0].references_per_element, 2.0);
    EXPECT_EQ(exact.levels[1].references_per_element, 0.0);
}

// Section 6: the measured range of sizes and strides.
TEST(StackDistances, StayBetweenAllHitsAndAllMissesOverTheRangeOfSection6) {
    for (const auto& geometry : {pentium3_hierarchy(), r10000_hierarchy()}) {
        for (std::int64_t data_bytes = 4; data_bytes <= 128 * kKilobyte; data_bytes *= 8) {
            for (std::int64_t stride = 4; stride <= 128 * kKilobyte; stride *= 8) {
                const LatencyPrediction exact = latency_from_stack_distances(
                    geometry, integers(TransferKind::kCopy, data_bytes, stride));
                double above = 2.0;
                for (const LevelLatency& level : exact.levels) {
                    EXPECT_EQ(level.references_per_element, above);
                    EXPECT_LE(level.misses_per_element, level.references_per_element);
                    EXPECT_LE(level.misses_per_element, level.first_repetition_misses_per_element);
                    above = level.misses_per_element;
                }
                EXPECT_GE(exact.latency_cycles_per_element(), 0.0);
            }
        }
    }
}

TEST(LatencyPrediction, RefusesWhatIsOutOfRange) {
    const AccessPattern pattern = integers(TransferKind::kCopy, 1024, 2);
    EXPECT_THROW((void)latency_from_fitted_curve(pentium3_hierarchy(), pattern), ModelError);
    EXPECT_THROW((void)latency_from_stack_distances(pentium3_hierarchy(), pattern), ModelError);
    EXPECT_THROW((void)latency_from_fitted_curve({}, integers(TransferKind::kCopy, 1024, 4)),
                 ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
