#include "experiments/commands/number_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::commands {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NumberOption, OnlyDecimalDigitsAreAWholeNumber) {
    EXPECT_EQ(whole_number_of("0"), 0);
    EXPECT_EQ(whole_number_of("-12"), -12);
    EXPECT_EQ(whole_number_of("9223372036854775807"), INT64_MAX);
    for (const char* text :
         {"", "-", "010", "-01", "0x10", "1e1", "1.0", "+1", " 1", "1 ", "1\n", "12abc", "1_000",
          "1'000", "nan", "inf", "１", "9223372036854775808"}) {
        EXPECT_EQ(whole_number_of(text), std::nullopt) << text;
    }
    EXPECT_EQ(whole_number_of(std::string_view("1\0", 2)), std::nullopt);
}

TEST(NumberOption, RangesHaveBothEnds) {
    const ValueCheck one_to_nine = whole_number(1, 9);
    for (const char* text : {"1", "9"}) {
        std::string given = text;
        EXPECT_EQ(one_to_nine.fault_of(given), "") << text;
    }
    for (const char* text : {"0", "10", "-1", "010"}) {
        std::string given = text;
        EXPECT_THAT(one_to_nine.fault_of(given), HasSubstr("from 1 to 9")) << text;
    }
}

TEST(NumberOption, NoNumberOfAListIsLeftOut) {
    EXPECT_THAT(whole_numbers("--n", "8,4", 1, 9), ElementsAre(8, 4));
    EXPECT_THAT(whole_numbers("--n", "8", 1, 9), ElementsAre(8));
    for (const char* text : {"", ",", "8,", ",8", "8,,4", "8x4", "8,04", "8, 4", "8,10"}) {
        EXPECT_THROW(static_cast<void>(whole_numbers("--n", text, 1, 9)), InvalidValue) << text;
    }
}

}  // namespace
}  // namespace weir::experiments::commands
