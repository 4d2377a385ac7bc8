#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/kernels/spmv/sparse_product.h"

namespace weir::firmware {
namespace {

using ::testing::ElementsAre;

std::vector<std::int32_t> owners(const ElementPlaces& places, std::size_t count) {
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(places.owner(i));
    }
    return all;
}

// Matrix whose rows have these numbers of non-zeros, in the first columns.
SparseMatrix matrix_of(const std::vector<std::int32_t>& in_row, std::int32_t columns) {
    SparseMatrix matrix;
    matrix.rows = static_cast<std::int32_t>(in_row.size());
    matrix.columns = columns;
    matrix.row_begin.push_back(0);
    for (const std::int32_t count : in_row) {
        for (std::int32_t column = 0; column < count; ++column) {
            matrix.column.push_back(column);
            matrix.value.push_back(1.0);
        }
        matrix.row_begin.push_back(matrix.nonzeros());
    }
    return matrix;
}

TEST(RowDistributionTest, Cyclic) {
    const SparseMatrix matrix = matrix_of({1, 1, 1, 1, 1}, 5);
    const ElementPlaces rows = place_rows(RowDistribution::kCyclic, matrix, 2, 1);
    EXPECT_THAT(owners(rows, 5), ElementsAre(0, 1, 0, 1, 0));
    EXPECT_THAT(rows.elements_of(0), ElementsAre(0, 2, 4));
    EXPECT_EQ(rows.index(4), 2);
}

TEST(RowDistributionTest, BlocksDifferByARowAtMost) {
    const SparseMatrix matrix = matrix_of(std::vector<std::int32_t>(7, 1), 7);
    EXPECT_THAT(owners(place_rows(RowDistribution::kBlocked, matrix, 3, 1), 7),
                ElementsAre(0, 0, 0, 1, 1, 2, 2));
}

TEST(RowDistributionTest, NonzerosAreSharedEvenlyInARow) {
    // 12 non-zeros on 3 nodes: 4 each.
    const SparseMatrix matrix = matrix_of({1, 1, 1, 1, 4, 2, 2}, 7);
    EXPECT_THAT(owners(place_rows(RowDistribution::kNonzeros, matrix, 3, 1), 7),
                ElementsAre(0, 0, 0, 0, 1, 2, 2));
}

TEST(RowDistributionTest, EmptyRowsAtTheEndHaveAnOwner) {
    const SparseMatrix matrix = matrix_of({2, 2, 0, 0}, 4);
    EXPECT_THAT(owners(place_rows(RowDistribution::kNonzeros, matrix, 2, 1), 4),
                ElementsAre(0, 1, 1, 1));
}

TEST(RowDistributionTest, RandomDealsAsManyToEachByTheSeedAlone) {
    const SparseMatrix matrix = matrix_of(std::vector<std::int32_t>(100, 1), 100);
    const ElementPlaces rows = place_rows(RowDistribution::kRandom, matrix, 4, 1);
    for (std::int32_t node = 0; node < 4; ++node) {
        EXPECT_EQ(rows.elements_of(node).size(), 25U);
        EXPECT_TRUE(std::is_sorted(rows.elements_of(node).begin(), rows.elements_of(node).end()));
    }
    const auto again = place_rows(RowDistribution::kRandom, matrix, 4, 1);
    const auto other = place_rows(RowDistribution::kRandom, matrix, 4, 2);
    const auto in_turn = place_rows(RowDistribution::kCyclic, matrix, 4, 1);
    EXPECT_EQ(owners(again, 100), owners(rows, 100));
    EXPECT_NE(owners(other, 100), owners(rows, 100));
    EXPECT_NE(owners(in_turn, 100), owners(rows, 100));
}

TEST(RowDistributionTest, ASquareMatrixHasTheElementsOfXWithItsRows) {
    const SparseMatrix square = matrix_of({3, 1, 1, 1}, 4);
    const ElementPlaces rows = place_rows(RowDistribution::kNonzeros, square, 2, 1);
    EXPECT_THAT(owners(rows, 4), ElementsAre(0, 1, 1, 1));
    EXPECT_EQ(owners(place_columns(RowDistribution::kNonzeros, square, rows, 2, 1), 4),
              owners(rows, 4));
}

TEST(RowDistributionTest, OtherMatricesHaveThemDealtOutByThemselves) {
    const SparseMatrix wide = matrix_of({3, 1}, 4);
    for (const RowDistribution distribution :
         {RowDistribution::kBlocked, RowDistribution::kNonzeros}) {
        const ElementPlaces rows = place_rows(distribution, wide, 2, 1);
        EXPECT_THAT(owners(place_columns(distribution, wide, rows, 2, 1), 4),
                    ElementsAre(0, 0, 1, 1));
    }
    const ElementPlaces rows = place_rows(RowDistribution::kCyclic, wide, 2, 1);
    EXPECT_THAT(owners(place_columns(RowDistribution::kCyclic, wide, rows, 2, 1), 4),
                ElementsAre(0, 1, 0, 1));
}

}  // namespace
}  // namespace weir::firmware
