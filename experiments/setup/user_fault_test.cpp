#include "experiments/setup/user_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

const std::vector<std::string> kKnownKernels = {"remap", "fft", "all_to_any"};

TEST(UserFault, NamesPlaceFindingAcceptedAndNearest) {
    const UserFault fault({"a.toml", 3, 7}, "finding", "acceptable", "nearest");
    EXPECT_THAT(fault.what(), AllOf(StartsWith("a.toml:3:7: finding; "), Names("acceptable"),
                                    EndsWith("\"nearest\"?")));
}

TEST(UserFault, LeavesOutWhatItDoesNotKnow) {
    EXPECT_STREQ(UserFault({"a.toml", 3, 7}, "finding").what(), "a.toml:3:7: finding");
    EXPECT_STREQ(UserFault(Place{"a.toml"}, "finding").what(), "a.toml: finding");
    EXPECT_THAT(UserFault(Place{}, "finding", "acceptable").what(),
                AllOf(StartsWith("finding; "), EndsWith(" acceptable")));
}

TEST(UserFault, NamesAnOptionAsTyped) {
    EXPECT_STREQ(UserFault(Place{"--set network.hop_cycles=x"}, "no").what(),
                 "--set network.hop_cycles=x: no");
}

TEST(UserFault, UnknownNameListsTheKnown) {
    EXPECT_THAT(
        unknown_name({"a.toml", 3, 7}, "kernel", "rmap", kKnownKernels).what(),
        AllOf(Names("a.toml:3:7", "kernel", "\"rmap\"", "\"remap\", \"fft\", \"all_to_any\""),
              EndsWith("\"remap\"?")));
    EXPECT_THAT(unknown_name({"a.toml", 3, 7}, "kernel", "rmap", {}).what(),
                AllOf(Names("a.toml:3:7", "kernel", "\"rmap\"", "nothing"), Not(HasSubstr("?"))));
}

TEST(NearestName, CountsEditsOfEachKindAsOne) {
    const std::vector<std::string> names = {"hop_cycles"};
    EXPECT_EQ(nearest_name("hop_cycle", names), "hop_cycles");    // one letter missing
    EXPECT_EQ(nearest_name("hoop_cycles", names), "hop_cycles");  // one letter too many
    EXPECT_EQ(nearest_name("hop_cykles", names), "hop_cycles");   // one letter replaced
    EXPECT_EQ(nearest_name("hpo_cylces", names), "hop_cycles");   // neighbours swapped, twice
}

TEST(NearestName, IgnoresCaseAndDashes) {
    EXPECT_EQ(nearest_name("All-To-Any", kKnownKernels), "all_to_any");
}

TEST(NearestName, TakesThreeEditsOfTenButNotFour) {
    const std::vector<std::string> names = {"abcdefghij"};
    EXPECT_EQ(nearest_name("abcdefgxyz", names), "abcdefghij");
    EXPECT_EQ(nearest_name("abcdefwxyz", names), std::nullopt);
}

TEST(NearestName, DoesNotSwapOneShortNameForAnother) {
    EXPECT_EQ(nearest_name("x", std::array<std::string, 1>{"y"}), std::nullopt);
    EXPECT_EQ(nearest_name("", std::array<std::string, 1>{"y"}), std::nullopt);
    EXPECT_EQ(nearest_name("logp", std::array<std::string, 1>{"lopc"}), std::nullopt);
}

TEST(NearestName, PrefersFewerEditsThenTheFirst) {
    EXPECT_EQ(nearest_name("lopc", std::vector<std::string>{"loggp", "logpc", "logc", "lopcs"}),
              "logpc");
    EXPECT_EQ(nearest_name("logpc_", std::vector<std::string>{"lopc__", "logpc"}), "logpc");
}

TEST(NearestName, TakesANameWhoseWordsAreAllThere) {
    const std::vector<std::string> names = {"overflow_entry_cycles", "entry_cycles", "cycles",
                                            "hop_cycles"};
    EXPECT_EQ(nearest_name("interrupt_entry_cycles", names), "entry_cycles");
    EXPECT_EQ(nearest_name("overflow_entry_cycle", names),
              "overflow_entry_cycles");  // typing error
    EXPECT_EQ(nearest_name("interrupt_cycles", std::vector<std::string>{"cycles"}), std::nullopt);
}

TEST(NearestName, CompletesAnUnmistakableBeginning) {
    EXPECT_EQ(nearest_name("queue", std::vector<std::string>{"queue_bytes", "hop_cycles"}),
              "queue_bytes");
    EXPECT_EQ(nearest_name("queue", std::vector<std::string>{"queue_bytes", "queue_flits"}),
              std::nullopt);
    EXPECT_EQ(
        nearest_name("lopc-al", std::vector<std::string>{"lopc-all-to-any", "lopc-client-server"}),
        "lopc-all-to-any");
}

TEST(UnknownName, TellsOfAMetricThatIsGone) {
    const std::vector<std::string> names{"cycles_per_operation"};
    const std::string gone = unknown_name({"a.toml"}, "metric", "cycles_per_point", names).what();
    EXPECT_NE(gone.find("CHANGELOG.md"), std::string::npos) << gone;
    const std::string other = unknown_name({"a.toml"}, "metric", "cycles_per_pint", names).what();
    EXPECT_EQ(other.find("CHANGELOG.md"), std::string::npos) << other;
}

TEST(QuotedList, OfVeryManySaysHowManyMore) {
    const std::vector<std::string> names(1'000, "abcdefgh");
    const std::string list = quoted_list(names);
    EXPECT_LT(list.size(), 1'600U);
    EXPECT_TRUE(list.ends_with("\"abcdefgh\", and 874 more")) << list.substr(1'450);
}

}  // namespace
}  // namespace weir::experiments::setup
