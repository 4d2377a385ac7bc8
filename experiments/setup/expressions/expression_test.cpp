#include "experiments/setup/expressions/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/expressions/expression_of_parameters.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
    // Of several keys the one that a sweep is about.
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
    EXPECT_EQ(expression_fault("copies * / 2"),
              "study.toml:2:10: the expression \"copies * / 2\" has \"/\" where a number or a key "
              "is wanted; accepted: numbers and keys with + - * / (or − × ÷), brackets, and one of "
              "< <= = >= > != at most");
    EXPECT_THAT(expression_fault(""), HasSubstr("\"\" ends where a number or a key is wanted"));
    EXPECT_THAT(expression_fault("(copies"), HasSubstr("has its end where a bracket should close"));
    EXPECT_THAT(expression_fault("1 < copies < 3"), HasSubstr("has a second comparison"));
    EXPECT_THAT(expression_fault("copies flit_bytes"),
                HasSubstr("has \"flit_bytes\" where it could end"));
    EXPECT_THAT(expression_fault("1.2.3"), HasSubstr("has \"1.2.3\", which is no number"));
    EXPECT_THAT(expression_fault("system('ls')"), HasSubstr("has \"(\" where it could end"));
    EXPECT_THAT(expression_fault("copies € 2"), HasSubstr("has \"€\" where it could end"));
    EXPECT_THAT(expression_fault(std::string(60, '(') + "1" + std::string(60, ')')),
                HasSubstr("has more than 50 levels"));
    EXPECT_THAT(expression_fault(std::string(10'001, '1')), HasSubstr("more than 10000 bytes"));
}

TEST(ExpressionTest, WhatHasNoValue) {
    EXPECT_EQ(expression_fault("1 / l2.bytes"),
              "study.toml:2:10: the expression \"1 / l2.bytes\" divides by 0; accepted: a divisor "
              "that is not 0");
    EXPECT_THAT(expression_fault("1e300 * 1e300"), HasSubstr("is no finite number"));
    EXPECT_THAT(expression_fault("topology + 1"),
                HasSubstr("network.topology is mesh, which is no number"));
    EXPECT_THAT(expression_fault("dimensions"), HasSubstr("network.dimensions is [8, 4], which"));
    EXPECT_EQ(expression_fault("bytes"),
              "study.toml:2:10: several keys are called \"bytes\"; accepted: \"l1.bytes\", "
              "\"l2.bytes\"");
    EXPECT_THAT(expression_fault("flit_byte * 2"),
                StartsWith("study.toml:2:10: no key \"flit_byte\" has an effect here; accepted: a "
                           "key that `weir params` lists, table.key or the key alone; did you "
                           "mean \"flit_bytes * 2\"?"));
    EXPECT_THAT(expression_fault("2 * network.copy + network.copy / copies"),
                HasSubstr("did you mean \"2 * network.copies + network.copies / copies\"?"));
}

}  // namespace
}  // namespace weir::experiments::setup
