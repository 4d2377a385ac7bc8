#include "experiments/setup/text/shown_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weir::experiments::setup {
namespace {

TEST(ShownNumberTest, HasFourDigits) {
    EXPECT_EQ(shown_number(0.0), "0");
    EXPECT_EQ(shown_number(-0.0), "0");
    EXPECT_EQ(shown_number(12.0), "12");
    EXPECT_EQ(shown_number(123456.0), "123456");
    EXPECT_EQ(shown_number(3.14159), "3.142");
    EXPECT_EQ(shown_number(0.0123456), "0.01235");
    EXPECT_EQ(shown_number(-0.000123456), "-0.000123");
    EXPECT_EQ(shown_number(0.0000035), "3.5e-06");
    EXPECT_EQ(shown_number(4e-7), "4e-07");
    EXPECT_EQ(shown_number(-1.23456e-9), "-1.235e-09");
}

TEST(FixedNumberTest, HasItsDecimalsUnlessTheyWouldBeZeros) {
    EXPECT_EQ(fixed_number(0.3126, 3), "0.313");
    EXPECT_EQ(fixed_number(0.0, 3), "0.000");
    EXPECT_EQ(fixed_number(-0.0, 1), "0.0");
    EXPECT_EQ(fixed_number(0.0004, 3), "0.0004");
    EXPECT_EQ(fixed_number(0.000002, 3), "2e-06");
    EXPECT_EQ(fixed_number(-0.04, 1), "-0.04");
    EXPECT_EQ(fixed_number(0.3, 0), "0.3");
    EXPECT_EQ(fixed_number(-0.03664, 1), "-0.037");
}

TEST(PercentNumberTest, ARoundingErrorIsNone) {
    EXPECT_EQ(percent_number(12.34), "12.3");
    EXPECT_EQ(percent_number(0.04), "0.04");
    EXPECT_EQ(percent_number(0.3, 0), "0.3");
    EXPECT_EQ(percent_number(1e-13), "0.0");
}

TEST(SignedNumberTest, SaysWhichWay) {
    EXPECT_EQ(signed_number(3.42), "+3.4");
    EXPECT_EQ(signed_number(-3.42), "-3.4");
    EXPECT_EQ(signed_number(0.0), "+0.0");
    EXPECT_EQ(signed_number(0.02), "+0.02");
    EXPECT_EQ(signed_number(100.0 * (0.1 + 0.2 - 0.3)), "+0.0");
}

// Law: no nonzero number is shown as 0.
TEST(NumberTextTest, OnlyZeroReadsAsZero) {
    const auto reads_as_zero = [](const std::string& text) {
        return text.find_first_of("123456789") == std::string::npos;
    };
    for (double value = 1e-300; value < 1e300; value *= 1.7) {
        for (const double each : {value, -value}) {
            EXPECT_FALSE(reads_as_zero(shown_number(each))) << each;
            for (int decimals = 0; decimals < 7; ++decimals) {
                EXPECT_FALSE(reads_as_zero(fixed_number(each, decimals))) << each;
            }
        }
    }
}

}  // namespace
}  // namespace weir::experiments::setup
