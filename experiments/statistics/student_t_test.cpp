#include "experiments/statistics/student_t.h"

#include <gtest/gtest.h>

namespace weir::experiments::statistics {
namespace {

// Tables in the appendix of Law and Kelton, Simulation Modeling and Analysis, to three decimals.
TEST(StudentTTest, IsThatOfTheTables) {
    EXPECT_NEAR(student_t(1.0), 12.706, 0.0005);
    EXPECT_NEAR(student_t(4.0), 2.776, 0.0005);
    EXPECT_NEAR(student_t(31.0), 2.040, 0.0005);
    EXPECT_NEAR(student_t(1e6), 1.960, 0.0005);
}

TEST(StudentTTest, FishersFIsThatOfTheTables) {
    EXPECT_NEAR(fisher_f(1.0, 10.0), 4.96, 0.005);
    EXPECT_NEAR(fisher_f(3.0, 20.0), 3.10, 0.005);
    // With one degree in the numerator, F is the square of Student's t.
    EXPECT_NEAR(fisher_f(1.0, 7.0), student_t(7.0) * student_t(7.0), 1e-9);
}

TEST(StudentTTest, TheNormalQuantileIsThatOfTheTables) {
    EXPECT_NEAR(normal_quantile(0.95), 1.6449, 0.00005);
    EXPECT_NEAR(normal_quantile(0.05), -1.6449, 0.00005);
}

}  // namespace
}  // namespace weir::experiments::statistics
