#include "experiments/setup/expressions/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::weir::testing::Names;

const NamedValues kConfiguration{{{"network.flit_bytes", std::int64_t{2}},
                                  {"network.copies", std::int64_t{4}},
                                  {"network.topology", std::string("mesh")},
                                  {"network.dimensions", std::vector<std::int64_t>{8, 4}},
                                  {"network.radices", std::vector<std::int64_t>{5}},
                                  {"controller.overflow_trap", true},
                                  {"clock.processor_mhz", 20.5},
                                  {"l1.bytes", std::int64_t{64}},
                                  {"l2.bytes", std::int64_t{0}}}};

double computed(const std::string& text) {
    hw::testing::note_seed("expression", text);
    return value_of(Expression::parse(text, {"study.toml", 2, 10}), kConfiguration);
}

std::string expression_fault(const std::string& text) {
    try {
        static_cast<void>(computed(text));
    } catch (const UserFault& fault) {
        return fault.what();
    }
    return "none";
}

TEST(ExpressionTest, BindsAsArithmeticDoes) {
    EXPECT_EQ(computed("2 + 3 * 4 - 6 / 3"), 12.0);
    EXPECT_EQ(computed("(2 + 3) * 4"), 20.0);
    EXPECT_EQ(computed("10 - 3 - 2"), 5.0);
    EXPECT_EQ(computed("16 / 4 / 2"), 2.0);
    EXPECT_EQ(computed("-2 * -(1 + 2)"), 6.0);
    EXPECT_EQ(computed("1_000 + 2.5e2 + .5"), 1250.5);
    EXPECT_EQ(computed("2 − 3 × 8 ÷ 4"), -4.0);
}

TEST(ExpressionTest, NamesAreKeysOrTheirLastPart) {
    EXPECT_EQ(computed("flit_bytes * network.copies"), 8.0);
    EXPECT_EQ(computed("processor_mhz"), 20.5);
    EXPECT_EQ(computed("radices + overflow_trap"), 6.0);
    EXPECT_EQ(computed("l1.bytes"), 64.0);
    // Among several keys with one name, the swept key is meant.
    NamedValues swept = kConfiguration;
    swept.swept = {"network.copies", "l1.bytes"};
    EXPECT_EQ(value_of(Expression::parse("bytes + flit_bytes", {}), swept), 66.0);
    EXPECT_THAT(Expression::parse("copies * l1.bytes - copies", {}).names(),
                ElementsAre("copies", "l1.bytes"));
}

TEST(ExpressionTest, ComparisonsAreTrueOrFalse) {
    for (const std::string text :
         {"flit_bytes * 8 * copies <= 64", "copies ≥ 4", "copies > 3", "3 < copies", "copies = 4",
          "copies == 2 + 2", "copies != 5", "copies ≠ 5", "copies ≤ 4"}) {
        EXPECT_EQ(computed(text), 1.0) << text;
        EXPECT_TRUE(Expression::parse(text, {}).is_comparison()) << text;
    }
    for (const std::string text : {"flit_bytes * 8 * copies < 64", "copies >= 5", "copies = 5"}) {
        EXPECT_EQ(computed(text), 0.0) << text;
    }
    EXPECT_FALSE(Expression::parse("copies + 1", {}).is_comparison());
}

TEST(ExpressionTest, WhatIsNoExpression) {
    EXPECT_THAT(expression_fault("copies * / 2"),
                Names("study.toml:2:10", "\"copies * / 2\"", "\"/\"", "+ - * /", "< <= = >= > !="));
    EXPECT_THAT(expression_fault(""), Names("\"\"", "ends"));
    EXPECT_THAT(expression_fault("(copies"), Names("end", "bracket"));
    EXPECT_THAT(expression_fault("1 < copies < 3"), Names("second", "comparison"));
    EXPECT_THAT(expression_fault("copies flit_bytes"), HasSubstr(" \"flit_bytes\" "));
    EXPECT_THAT(expression_fault("1.2.3"), Names("\"1.2.3\"", "\"1.2.3\"", "number"));
    EXPECT_THAT(expression_fault("system('ls')"), HasSubstr(" \"(\" "));
    EXPECT_THAT(expression_fault("copies € 2"), HasSubstr(" \"€\" "));
    EXPECT_THAT(expression_fault(std::string(60, '(') + "1" + std::string(60, ')')),
                Names("50", "levels"));
    EXPECT_THAT(expression_fault(std::string(10'001, '1')), HasSubstr(" 10000 bytes"));
}

TEST(ExpressionTest, WhatHasNoValue) {
    EXPECT_THAT(expression_fault("1 / l2.bytes"),
                Names("study.toml:2:10", "\"1 / l2.bytes\"", "divides", "0"));
    EXPECT_THAT(expression_fault("1e300 * 1e300"), Names("\"1e300 * 1e300\"", "finite"));
    EXPECT_THAT(expression_fault("topology + 1"), Names("network.topology", "mesh", "number"));
    EXPECT_THAT(expression_fault("dimensions"), HasSubstr("network.dimensions is [8, 4], which"));
    EXPECT_THAT(expression_fault("bytes"),
                Names("study.toml:2:10", "\"bytes\"", "l1.bytes", "l2.bytes"));
    EXPECT_THAT(expression_fault("flit_byte * 2"),
                AllOf(Names("study.toml:2:10", "\"flit_byte\"", "table.key"),
                      HasSubstr("\"flit_bytes * 2\"?")));
    EXPECT_THAT(expression_fault("2 * network.copy + network.copy / copies"),
                HasSubstr("\"2 * network.copies + network.copies / copies\"?"));
}

}  // namespace
}  // namespace weir::experiments::setup
