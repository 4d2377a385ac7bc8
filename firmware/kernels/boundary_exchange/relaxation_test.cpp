#include "firmware/kernels/boundary_exchange/relaxation.h"

#include <gtest/gtest.h>

namespace weir::firmware {
namespace {

TEST(RelaxationTest, APointBecomesTheMeanOfFive) {
    EXPECT_DOUBLE_EQ(relaxed(1.0, 2.0, 3.0, 4.0, 5.0), 3.0);
}

TEST(RelaxationTest, AStepReadsOnlyWhatWasThereBefore) {
    const Relaxation before(3, 4, 7, "test");
    Relaxation after = before;
    after.step();
    for (std::int64_t row = -1; row <= 3; ++row) {
        for (std::int64_t column = -1; column <= 4; ++column) {
            const bool is_rim = row == -1 || row == 3 || column == -1 || column == 4;
            const double expected =
                is_rim ? before.at(row, column)
                       : relaxed(before.at(row, column), before.at(row - 1, column),
                                 before.at(row + 1, column), before.at(row, column - 1),
                                 before.at(row, column + 1));
            EXPECT_EQ(after.at(row, column), expected) << row << ", " << column;
        }
    }
    EXPECT_NE(after.at(1, 1), before.at(1, 1));
}

TEST(RelaxationTest, EveryArrayHasItsOwnValues) {
    EXPECT_EQ(Relaxation(2, 2, 1, "a").at(0, 0), Relaxation(2, 2, 1, "a").at(0, 0));
    EXPECT_NE(Relaxation(2, 2, 1, "a").at(0, 0), Relaxation(2, 2, 2, "a").at(0, 0));
    EXPECT_NE(Relaxation(2, 2, 1, "a").at(0, 0), Relaxation(2, 2, 1, "b").at(0, 0));
}

}  // namespace
}  // namespace weir::firmware
