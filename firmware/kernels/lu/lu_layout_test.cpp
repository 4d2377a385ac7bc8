#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "firmware/kernels/lu/lu_decomposition.h"

namespace weir::firmware {
namespace {

constexpr std::int64_t kRows = 24;

class LuLayoutTest : public ::testing::TestWithParam<std::pair<LuLayoutKind, std::int32_t>> {
  protected:
    const LuLayout layout_{GetParam().first, kRows, GetParam().second};
    const std::int32_t nodes_ = GetParam().second;
};

TEST_P(LuLayoutTest, EveryElementHasAPlaceOfItsOwn) {
    std::set<std::pair<std::int32_t, std::int64_t>> places;
    for (std::int64_t i = 0; i < kRows; ++i) {
        for (std::int64_t j = 0; j < kRows; ++j) {
            const std::int32_t owner = layout_.owner(i, j);
            EXPECT_GE(owner, 0);
            EXPECT_LT(owner, nodes_);
            EXPECT_GE(layout_.place(i, j), 0);
            EXPECT_LT(layout_.place(i, j), kRows * kRows / nodes_);
            places.emplace(owner, layout_.place(i, j));
        }
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(kRows * kRows));
}

TEST_P(LuLayoutTest, LinesAreThoseOfTheElementsOwned) {
    for (std::int32_t node = 0; node < nodes_; ++node) {
        for (std::int64_t line = 0; line < kRows; ++line) {
            for (const std::int64_t from : {std::int64_t{0}, line, kRows - 1, kRows}) {
                std::set<std::int64_t> rows;
                std::set<std::int64_t> columns;
                for (std::int64_t other = from; other < kRows; ++other) {
                    if (layout_.owner(other, line) == node) {
                        rows.insert(other);
                    }
                    if (layout_.owner(line, other) == node) {
                        columns.insert(other);
                    }
                }
                const auto set_of = [](LuLayout::Lines lines) {
                    std::set<std::int64_t> found;
                    for (std::int64_t n = 0; n < lines.count; ++n) {
                        found.insert(lines.at(n));
                        EXPECT_EQ(lines.index_of(lines.at(n)), n);
                    }
                    return found;
                };
                EXPECT_EQ(set_of(layout_.rows(node, line, from)), rows);
                EXPECT_EQ(set_of(layout_.columns(node, line, from)), columns);
            }
        }
    }
}

TEST_P(LuLayoutTest, HoldersAreTheOwnersOfAColumn) {
    for (std::int64_t line = 0; line < kRows; ++line) {
        std::set<std::int32_t> of_column;
        for (std::int64_t other = 0; other < kRows; ++other) {
            of_column.insert(layout_.owner(other, line));
        }
        for (std::int32_t node = 0; node < nodes_; ++node) {
            EXPECT_EQ(layout_.holders_of_column(line).contains(node), of_column.contains(node));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Layouts, LuLayoutTest,
                         ::testing::Values(std::pair(LuLayoutKind::kBad, 8),
                                           std::pair(LuLayoutKind::kColumn, 8),
                                           std::pair(LuLayoutKind::kBlockedGrid, 4),
                                           std::pair(LuLayoutKind::kBlockedGrid, 8),
                                           std::pair(LuLayoutKind::kScatteredGrid, 4),
                                           std::pair(LuLayoutKind::kScatteredGrid, 8),
                                           std::pair(LuLayoutKind::kScatteredGrid, 1)));

TEST(LuLayoutSidesTest, AGridIsAsSquareAsItCanBe) {
    const LuLayout layout(LuLayoutKind::kScatteredGrid, 32, 32);
    EXPECT_EQ(layout.grid_rows(), 4);
    EXPECT_EQ(layout.grid_columns(), 8);
    EXPECT_EQ(layout.divisor(), 8);
}

}  // namespace
}  // namespace weir::firmware
