#include "firmware/kernels/diamond_dag/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "firmware/kernels/diamond_dag/fasta.h"

namespace weir::firmware {
namespace {

using ::testing::ElementsAre;

constexpr AlignmentScores kScores{.match = 1.0, .mismatch = -1.0, .gap = -2.0};
// No sum of these scores is exact, so that another order of additions gives another result.
constexpr AlignmentScores kOddScores{.match = 0.7, .mismatch = -0.3, .gap = -0.55};

double score(const AlignmentScores& scores, std::string_view first, std::string_view second) {
    return alignment_rows(scores, first, second, first.size()).back().back();
}

// Best score of all alignments, enumerated from the front, without a table.
double best_of_all(const AlignmentScores& scores, std::string_view first, std::string_view second) {
    if (first.empty() || second.empty()) {
        return static_cast<double>(first.size() + second.size()) * scores.gap;
    }
    return std::max(
        {scores.of(first[0], second[0]) + best_of_all(scores, first.substr(1), second.substr(1)),
         scores.gap + best_of_all(scores, first.substr(1), second),
         scores.gap + best_of_all(scores, first, second.substr(1))});
}

// The complete matrix H, computed row by row.
std::vector<std::vector<double>> full_matrix(const AlignmentScores& scores, std::string_view first,
                                             std::string_view second) {
    std::vector<std::vector<double>> h(first.size() + 1, std::vector<double>(second.size() + 1));
    for (std::size_t i = 0; i <= first.size(); ++i) {
        for (std::size_t j = 0; j <= second.size(); ++j) {
            if (i == 0 || j == 0) {
                h[i][j] = static_cast<double>(i + j) * scores.gap;
                continue;
            }
            h[i][j] = std::max({h[i - 1][j - 1] + scores.of(first[i - 1], second[j - 1]),
                                h[i - 1][j] + scores.gap, h[i][j - 1] + scores.gap});
        }
    }
    return h;
}

// Worked example:    A   G   C
//            0   -2  -4  -6
//        A  -2    1  -1  -3
//        A  -4   -1   0  -2
//        C  -6   -3  -2   1
TEST(AlignmentTest, SmallCaseByHand) {
    EXPECT_THAT(
        alignment_rows(kScores, "AAC", "AGC", 1),
        ElementsAre(ElementsAre(1, -1, -3), ElementsAre(-1, 0, -2), ElementsAre(-3, -2, 1)));
    EXPECT_THAT(alignment_rows(kScores, "AAC", "AGC", 3), ElementsAre(ElementsAre(-3, -2, 1)));
}

// ACGT aligned with A-GT: three matches and a gap.
TEST(AlignmentTest, GapIsLinear) {
    EXPECT_EQ(score(kScores, "ACGT", "AGT"), 1.0);
    EXPECT_EQ(score(kScores, "ACCCGT", "AGT"), 3.0 - 3 * 2.0);
    EXPECT_EQ(score(kScores, "AGT", "ACCCGT"), 3.0 - 3 * 2.0);
}

TEST(AlignmentTest, UnknownBaseMatchesNothing) {
    EXPECT_EQ(score(kScores, "ANA", "ANA"), 1.0);
    EXPECT_EQ(score(kScores, "ANA", "ACA"), 1.0);
}

TEST(AlignmentTest, IsTheBestOfAllAlignments) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string first =
            random_sequence(1 + static_cast<std::int64_t>(seed % 6), seed, "a");
        const std::string second = random_sequence(6, seed, "b");
        EXPECT_EQ(score(kScores, first, second), best_of_all(kScores, first, second))
            << first << " " << second;
    }
}

TEST(AlignmentTest, RowsAreThoseOfTheFullMatrix) {
    const std::string first = random_sequence(24, 1, "a");
    const std::string second = random_sequence(17, 1, "b");
    const auto h = full_matrix(kOddScores, first, second);
    const auto rows = alignment_rows(kOddScores, first, second, 6);
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t stripe = 0; stripe < 4; ++stripe) {
        const std::vector<double>& row = h[6 * (stripe + 1)];
        EXPECT_EQ(rows[stripe], std::vector<double>(row.begin() + 1, row.end()));
    }
}

// Computed by stripes and blocks, as on the nodes, values equal the sequential ones bit by bit.
TEST(AlignmentTest, StripesAndBlocksGiveTheSequentialRows) {
    const std::string first = random_sequence(24, 2, "a");
    const std::string second = random_sequence(36, 2, "b");
    for (const std::size_t stripe_rows : {1U, 3U, 8U, 24U}) {
        for (const std::size_t block_columns : {1U, 4U, 12U, 36U}) {
            const auto rows = alignment_rows(kOddScores, first, second, stripe_rows);
            std::vector<double> below = alignment_border(kOddScores, 1, second.size());
            for (std::size_t stripe = 0; stripe < rows.size(); ++stripe) {
                AlignmentStripe work(
                    kOddScores, std::string_view(first).substr(stripe * stripe_rows, stripe_rows),
                    stripe * stripe_rows);
                std::vector<double> above;
                for (std::size_t j = 0; j < second.size(); j += block_columns) {
                    const auto begin = below.begin() + static_cast<std::ptrdiff_t>(j);
                    const std::vector<double> edge = work.next_block(
                        std::string_view(second).substr(j, block_columns),
                        {begin, begin + static_cast<std::ptrdiff_t>(block_columns)});
                    above.insert(above.end(), edge.begin(), edge.end());
                }
                EXPECT_EQ(above, rows[stripe]) << "stripe " << stripe << " of " << rows.size()
                                               << ", blocks of " << block_columns;
                below = above;
            }
        }
    }
}

TEST(AlignmentTest, BorderOfALaterBlock) {
    EXPECT_THAT(alignment_border(kScores, 5, 3), ElementsAre(-10, -12, -14));
}

TEST(AlignmentTest, EdgeAndBlockAreEquallyLong) {
    AlignmentStripe work(kScores, "ACGT", 0);
    EXPECT_THROW(static_cast<void>(work.next_block("AC", {0.0})), std::logic_error);
}

}  // namespace
}  // namespace weir::firmware
