#include "experiments/setup/files/set_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::HasSubstr;
using ::weir::testing::Names;

hw::ParameterValue value_of(const std::string& option) {
    hw::testing::note_seed("set-option", option);
    const TomlEntry tree = parse_set_option(option);
    const TomlEntry& table = tree.as_table()->entries.front();
    return table.as_table()->entries.front().as_parameter_value().value();
}

std::string fault(const std::string& option) {
    hw::testing::note_seed("set-option", option);
    return fault_of([&] { (void)parse_set_option(option); });
}

TEST(SetOption, IsATreeOfOneKeyAtThePlaceOfTheOption) {
    const TomlEntry tree = parse_set_option("models.inputs.handler_cycles=145");
    const TomlEntry& models = tree.as_table()->entries.front();
    EXPECT_EQ(models.key, "models");
    const TomlEntry& inputs = models.as_table()->entries.front();
    EXPECT_EQ(inputs.key, "inputs");
    const TomlEntry& handler = inputs.as_table()->entries.front();
    EXPECT_EQ(handler.key, "handler_cycles");
    EXPECT_EQ(handler.key_place, Place{"--set models.inputs.handler_cycles=145"});
    EXPECT_EQ(handler.place, Place{"--set models.inputs.handler_cycles=145"});
}

TEST(SetOption, ReadsTomlValues) {
    EXPECT_EQ(value_of("a.b=2"), hw::ParameterValue(std::int64_t{2}));
    EXPECT_EQ(value_of("a.b = 0.5"), hw::ParameterValue(0.5));
    EXPECT_EQ(value_of("a.b=true"), hw::ParameterValue(true));
    EXPECT_EQ(value_of("a.b=[1,2]"), hw::ParameterValue(std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(value_of("a.b=\"2\""), hw::ParameterValue(std::string("2")));
}

TEST(SetOption, TakesWhatIsNotTomlAsAString) {
    EXPECT_EQ(value_of("workload.kernel=remap"), hw::ParameterValue(std::string("remap")));
    EXPECT_EQ(value_of("trace.file=/tmp/a=b c.sqlite"),
              hw::ParameterValue(std::string("/tmp/a=b c.sqlite")));
    EXPECT_EQ(value_of("trace.file="), hw::ParameterValue(std::string()));
    EXPECT_EQ(value_of("a.b=1\nc=2"), hw::ParameterValue(std::string("1\nc=2")));
}

// In a file, # would begin a comment.
TEST(SetOption, LeavesNothingOut) {
    EXPECT_EQ(value_of("a.b=2#3"), hw::ParameterValue(std::string("2#3")));
    EXPECT_EQ(value_of("a.b=2 # more"), hw::ParameterValue(std::string("2 # more")));
    EXPECT_EQ(value_of("a.b=\"2 # more\""), hw::ParameterValue(std::string("2 # more")));
    EXPECT_EQ(value_of("a.b=1,2"), hw::ParameterValue(std::string("1,2")));
    EXPECT_EQ(value_of("a.b=1,"), hw::ParameterValue(std::string("1,")));
    EXPECT_EQ(value_of("a.b=１"), hw::ParameterValue(std::string("１")));
    EXPECT_THAT(fault("\xEF\xBB\xBF"
                      "a.b=2"),
                Names("a.b", "key", "--set table.key=value"));
}

TEST(SetOption, RefusesNumbersThatDoNotFit) {
    for (const char* number : {"1e400", "-1e400", "99999999999999999999", "9223372036854775808",
                               "-9_999_999_999_999_999_999"}) {
        EXPECT_THAT(fault(std::string("a.b=") + number), Names(number, "fit")) << number;
    }
    EXPECT_THAT(fault("a.b=1e-400"), Names("1e-400", "0"));
    EXPECT_EQ(value_of("a.b=-9223372036854775808"), hw::ParameterValue(INT64_MIN));
    EXPECT_EQ(value_of("a.b=0x10"), hw::ParameterValue(std::int64_t{16}));
    EXPECT_EQ(value_of("a.b=1_000"), hw::ParameterValue(std::int64_t{1000}));
}

TEST(SetOption, RefusesControlCharacters) {
    EXPECT_THAT(fault("a.b=\v2"), HasSubstr("control"));
    EXPECT_THAT(fault(std::string("a.b=2\0", 6)), HasSubstr("control"));
    EXPECT_THAT(fault("a.b=\"\\u001b[2J\""), HasSubstr("control"));
}

TEST(SetOption, RefusesWhatIsNoAssignment) {
    EXPECT_THAT(fault("network.hop_cycles"),
                Names("--set network.hop_cycles", "\"=\"", "--set table.key=value"));
    EXPECT_THAT(fault("network..hop_cycles=2"),
                Names("--set network..hop_cycles=2", "\"network..hop_cycles\"", "key",
                      "--set table.key=value"));
    EXPECT_THAT(fault("=2"), Names("--set =2", "\"\"", "--set table.key=value"));
}

TEST(SetOption, HasLimits) {
    EXPECT_TRUE(fault("a.b=" + std::string(60, '[')).find(" 50 levels") != std::string::npos);
    EXPECT_TRUE(fault("a.b=" + std::string(100'000, 'x')).ends_with(" 100000 bytes"));
}

TEST(SetOption, RefusesWhatIsOpenedAndNotClosed) {
    EXPECT_THAT(fault("network.dimensions=[4,8"),
                Names("--set network.dimensions=[4,8", "TOML", "--set table.key=value"));
    EXPECT_NE(fault("trace.file=\"a"), "none");
    EXPECT_NE(fault("a.b='a"), "none");
    EXPECT_NE(fault("a.b={c=1"), "none");
}

}  // namespace
}  // namespace weir::experiments::setup
