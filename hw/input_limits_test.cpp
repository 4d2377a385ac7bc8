#include "hw/input_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "hw/testing/names.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

TEST(InputLimitsTest, LevelsAreCountedOutsideOfTextsAndComments) {
    EXPECT_EQ(levels_in("a = [{b = [1]}, []]", InputSyntax::kToml), 3U);
    EXPECT_EQ(levels_in("a = [\"[[\", '[[', \"\\\"[[\"] # [[[[\n", InputSyntax::kToml), 1U);
    EXPECT_EQ(levels_in("a = [\"\"\"[ \" [ \\\"\"\"\"] b = '''[ ' [''']", InputSyntax::kToml), 1U);
    EXPECT_EQ(levels_in(R"({"a": [1, {"b]}\"": []}]})", InputSyntax::kJson), 4U);
}

// Characters that only look like a closing bracket must not hide an open level.
TEST(InputLimitsTest, NothingHidesALevel) {
    const auto times = [](int count, const std::string& text) {
        std::string all;
        for (int i = 0; i < count; ++i) {
            all += text;
        }
        return all;
    };
    EXPECT_EQ(levels_in(times(70, "[\"]\","), InputSyntax::kToml), 70U);
    EXPECT_EQ(levels_in(times(70, "['''' ]''',"), InputSyntax::kToml), 70U);
    EXPECT_EQ(levels_in(times(70, "{\"}\":"), InputSyntax::kJson), 70U);
    EXPECT_EQ(levels_in("\"\"\"a\"\"\"\"" + times(70, "["), InputSyntax::kToml), 70U);
}

TEST(InputLimitsTest, AByteOrderMarkIsSkippedAndNothingElse) {
    constexpr InputLimits kAll{100, 100, 1};
    const auto rest_of = [&](const std::string& text) {
        std::istringstream in(text);
        skip_byte_order_mark(in);
        return text_of(in, kAll);
    };
    EXPECT_EQ(rest_of("\xEF\xBB\xBF"
                      "a"),
              "a");
    EXPECT_EQ(rest_of("\xEF\xBB\xBF"), "");
    for (const char* other : {"", "a", "ab", "abc", "\xEF", "\xEF\xBB",
                              "\xEF\xBB"
                              "a",
                              "\xEF"
                              "ab"}) {
        EXPECT_EQ(rest_of(other), other);
    }
}

TEST(InputLimitsTest, WhatIsLongerIsReadNoFurther) {
    constexpr InputLimits kTen{10, 10, 1};
    std::istringstream fits("0123456789");
    EXPECT_FALSE(limit_fault(text_of(fits, kTen), kTen));
    std::istringstream longer(std::string(100, 'x'));
    const auto fault = limit_fault(text_of(longer, kTen), kTen);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->found, Names("more", "10", "bytes"));
    EXPECT_EQ(longer.tellg(), 11);
    EXPECT_THAT(limit_fault("[[]]", kTen, InputSyntax::kJson)->found, Names("nested", "deep"));
}

TEST(InputLimitsTest, LinesEndAtTheirLimit) {
    constexpr InputLimits kThree{0, 3, 0};
    std::istringstream in("abc\n\nabcde\nlast");
    std::string line;
    const auto next = [&] { return next_line(in, line, kThree) ? line : "end"; };
    EXPECT_EQ(next(), "abc");
    EXPECT_FALSE(line_fault(line, kThree));
    EXPECT_EQ(next(), "");
    EXPECT_EQ(next(), "abcd");
    EXPECT_TRUE(line_fault(line, kThree));
    EXPECT_EQ(next(), "e");
    EXPECT_EQ(next(), "last");
    EXPECT_EQ(next(), "end");
    EXPECT_EQ(next(), "end");
}

}  // namespace
}  // namespace weir::hw
