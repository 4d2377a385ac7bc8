#include "experiments/records/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments::records {
namespace {

using ::testing::HasSubstr;

Check check(double published, std::optional<double> measured, std::optional<double> allowed) {
    Check made;
    made.published = published;
    if (measured) {
        made.measured = Estimate{"metric", *measured, std::nullopt};
    }
    made.allowed = allowed;
    return made;
}

TEST(ValidationTest, AValueAtItsToleranceHoldsAndOnePastItIsMissed) {
    EXPECT_FALSE(check(100, 103, 3).missed());
    EXPECT_TRUE(check(100, 103.01, 3).missed());
    EXPECT_TRUE(check(100, 96.9, 3).missed());
    EXPECT_TRUE(check(100, std::nullopt, 3).missed());  // an unmeasured value is missed
    EXPECT_FALSE(check(100, 500, std::nullopt).missed());
}

TEST(ValidationTest, SharesAndLoadsAreShownToTheThirdDigit) {
    EXPECT_THAT(validation_table("a.toml", {check(0.24, 0.2412, 0.012)}),
                ::testing::ContainsRegex("0\\.240 +0\\.241 +\\+0\\.5 % +0\\.012 +holds"));
    EXPECT_THAT(validation_table("a.toml", {check(21, 21.04, 1)}),
                ::testing::ContainsRegex(" 21\\.0 +21\\.0 "));
}

class ValidateTest : public ProgramTest {
  protected:
    // Runs two unloaded messages. Their overhead is known from LoGPC Table 1.
    [[nodiscard]] ProgramEnd validate(const std::string& published) const {
        write("ping.toml",
              "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2]\n"
              "[workload]\nkernel = \"ping\"\n[published.send_overhead_cycles_2]\n"
              "source = \"LoGPC Table 1\"\n" +
                  published);
        return weir({"validate", "ping.toml"});
    }
};

TEST_F(ValidateTest, EndsWithZeroWhenAllHold) {
    const ProgramEnd end = validate("value = 15\nwithin = 0\n");
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, HasSubstr("holds"));
    EXPECT_THAT(end.output, HasSubstr("1 of 1 checked values hold"));
}

TEST_F(ValidateTest, EndsWithOneWhenAToleranceIsMissed) {
    const ProgramEnd end =
        validate("value = 16\ntolerance = 0.05\n");  // accepts 15.2 to 16.8; measured: 15
    EXPECT_EQ(end.status, 1) << end.error;
    EXPECT_THAT(end.output, HasSubstr("MISSED"));
    EXPECT_THAT(end.output, HasSubstr("0 of 1 checked values hold"));
}

TEST_F(ValidateTest, AValueWithoutAToleranceIsOnlyShown) {
    const ProgramEnd end = validate("value = 99\n");
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, HasSubstr("open"));
}

TEST_F(ValidateTest, AMistakeInTheLastFileIsToldBeforeTheFirstIsRun) {
    static_cast<void>(validate("value = 15\n"));
    write("typo.toml",
          "extends = \"alewife\"\n[workload]\nkernel = \"remap\"\n"
          "[run]\nwarmup_cycels = 5\n");
    const std::vector<std::string> before = everything();
    const ProgramEnd end = weir({"validate", "ping.toml", "typo.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.error, HasSubstr("typo.toml:5:1: [run] has no key \"warmup_cycels\""));
    EXPECT_EQ(everything(), before) << "nothing was run";
}

TEST_F(ValidateTest, AFileThatPublishesNothingIsNamed) {
    write("remap.toml", kSmallRemap);
    const ProgramEnd end = weir({"validate", "remap.toml"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output, HasSubstr("remap.toml: nothing published to compare with\n"));
}

// Shows each model's prediction with its error against the published and the measured value.
TEST_F(ValidateTest, ShowsPredictedBesideMeasuredAndPublishedIn80Columns) {
    write("remap.toml", std::string(kSmallRemap) +
                            "[models]\ncompare = [\"logp\", \"lopc_rule_of_thumb\"]\n"
                            "[published.cycles_per_iteration]\nvalue = 486\n"
                            "source = \"LoGPC Table 4\"\n");
    const ProgramEnd end = weir({"validate", "remap.toml"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(end.output,
                ::testing::ContainsRegex("logp +[0-9.]+ +-[0-9.]+ % +\\([-+][0-9.]+ %\\)"));
    EXPECT_THAT(end.output, HasSubstr("lopc_rule_of_thumb"));
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U + (line.find("\u00b1") != std::string::npos ? 1U : 0U)) << line;
    }
}

}  // namespace
}  // namespace weir::experiments::records
