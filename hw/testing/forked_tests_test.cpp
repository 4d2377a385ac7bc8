#include "hw/testing/forked_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

namespace weir::hw::testing {
namespace {

using weir::testing::Names;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Tests that those below run in another process of this program.
class DISABLED_Forked : public ::testing::Test {};
TEST_F(DISABLED_Forked, Passes) { std::puts("output_of_passing_test"); }
TEST_F(DISABLED_Forked, Fails) { ADD_FAILURE() << "output_of_failing_test"; }
TEST_F(DISABLED_Forked, Aborts) { std::abort(); }
TEST_F(DISABLED_Forked, Skips) { GTEST_SKIP(); }
TEST_F(DISABLED_Forked, IsNotHarmedByThoseBefore) {}
WEIR_TESTS_COST("DISABLED_Forked.Passes", 7);

struct End {
    int status;
    std::string lines;  // output without the tests' times
};

End run_share(const std::string& share, const std::string& left_out = "") {
    const std::string command = "WEIR_LEFT_OUT='^(?!DISABLED_Forked)" +
                                (left_out.empty() ? "" : "|" + left_out) + "' /proc/" +
                                std::to_string(getpid()) +
                                "/exe --gtest_also_run_disabled_tests --share=" + share + " 2>&1";
    FILE* const output = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> part{};
    while (std::fgets(part.data(), part.size(), output) != nullptr) {
        text += part.data();
    }
    const int status = pclose(output);
    return {WEXITSTATUS(status), std::regex_replace(text, std::regex("[0-9]+ ms"), "… ms")};
}

TEST(ForkedTestsTest, EachTestEndsByItselfAndOfThoseThatFailTheOutputIsShown) {
    ::unsetenv("WEIR_MOST_SECONDS");
    const End end = run_share("1/1");
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.lines, HasSubstr("passed DISABLED_Forked.Passes (… ms)\n"));
    EXPECT_THAT(end.lines, Not(HasSubstr("output_of_passing_test")));
    EXPECT_THAT(end.lines, Names("FAILED DISABLED_Forked.Fails (… ms", "status 1)\n"));
    EXPECT_THAT(end.lines, HasSubstr("output_of_failing_test"));
    EXPECT_THAT(end.lines, Names("FAILED DISABLED_Forked.Aborts (… ms", "signal 6", "Aborted)\n"));
    EXPECT_THAT(end.lines, HasSubstr("skipped DISABLED_Forked.Skips (… ms)\n"));
    EXPECT_THAT(end.lines, HasSubstr("passed DISABLED_Forked.IsNotHarmedByThoseBefore (… ms)\n"));
    EXPECT_THAT(end.lines, Names("\n3 of 5", "passed\n"));
}

TEST(ForkedTestsTest, SharesHaveEachTestOnce) {
    ::unsetenv("WEIR_MOST_SECONDS");
    const End first = run_share("1/2", "Fails|Aborts");
    const End second = run_share("2/2", "Fails|Aborts");
    EXPECT_EQ(first.status, 0);
    EXPECT_EQ(second.status, 0);
    EXPECT_THAT(first.lines, Names("passed DISABLED_Forked.Passes (… ms)\n",
                                   "passed DISABLED_Forked.IsNotHarmedByThoseBefore (… ms)\n",
                                   "2 of 2", "passed\n"));
    EXPECT_THAT(second.lines,
                Names("skipped DISABLED_Forked.Skips (… ms)\n", "1 of 1", "passed\n"));
}

TEST(ForkedTestsTest, TestsThatDeclareAHigherCostAreLeftOut) {
    ::setenv("WEIR_MOST_SECONDS", "6.5", 1);
    const End cheap = run_share("1/1", "Fails|Aborts");
    EXPECT_THAT(cheap.lines, Not(HasSubstr("DISABLED_Forked.Passes")));
    EXPECT_THAT(cheap.lines, Names("2 of 2", "passed\n"));
    ::setenv("WEIR_MOST_SECONDS", "7", 1);
    EXPECT_THAT(run_share("1/1", "Fails|Aborts").lines, Names("3 of 3", "passed\n"));
    ::setenv("WEIR_MOST_SECONDS", "0", 1);
    EXPECT_THAT(run_share("1/1", "Fails|Aborts").lines, Names("0 s", "DISABLED_Forked.Skips\n"));
    ::unsetenv("WEIR_MOST_SECONDS");
}

TEST(ForkedTestsTest, ACostOfNoTestIsTold) {
    const std::string name = "DISABLED_Forked.Passes";
    EXPECT_THAT(costs_of_no_test({"DISABLED_Forked.Fails"}), Contains(name));
    EXPECT_THAT(costs_of_no_test({name}), Not(Contains(name)));
}

TEST(ForkedTestsTest, AShareThatThereIsNotIsRefused) {
    for (const std::string share : {"", "3", "0/8", "9/8", "1/0", "1/8x"}) {
        const End end = run_share(share);
        EXPECT_EQ(end.status, 2);
        EXPECT_THAT(end.lines, Names("--share", "'" + share + "'", "NUMBER/OF", "2/8"));
    }
    EXPECT_THAT(run_share("1/1", "(").lines, Names("accepted", "regular"));
}

}  // namespace
}  // namespace weir::hw::testing
