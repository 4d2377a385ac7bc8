#include "experiments/run/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/run/testing/program_fixture.h"

namespace weir::experiments::run {
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
    EXPECT_TRUE(check(100, std::nullopt, 3).missed());  // not measured is not held
    EXPECT_FALSE(check(100, 500, std::nullopt).missed());
}

class ValidateTest : public ProgramTest {
  protected:
    // Two unloaded messages cost what Table 1 says, so the outcome is known.
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
    const ProgramEnd end = validate("value = 16\ntolerance = 0.05\n");  // 0.8 is accepted
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
    const ProgramEnd end = weir({"validate", "ping.toml", "nosuch.toml"});
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.error, HasSubstr("nosuch.toml: does not exist"));
}

}  // namespace
}  // namespace weir::experiments::run
