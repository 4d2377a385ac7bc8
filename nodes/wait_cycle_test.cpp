#include "nodes/wait_cycle.h"

#include <gtest/gtest.h>

namespace weir::nodes {
namespace {

TEST(WaitCycleTest, NamesTheCycleAndNothingElse) {
    const hw::WaitReport report{{"a", "b", "1"}, {"b", "c", "2"}, {"x", "a", "9"}, {"c", "a", "3"}};
    EXPECT_EQ(explain(report),
              "a cycle of parts that wait for one another:\n"
              "  a waits for b: 1\n"
              "  b waits for c: 2\n"
              "  c waits for a: 3\n");
}

TEST(WaitCycleTest, WithoutACycleNamesAllThatWait) {
    EXPECT_EQ(explain({{"a", "b", "1"}, {"b", "c", "2"}}),
              "no cycle among the parts; these wait:\n"
              "  a waits for b: 1\n"
              "  b waits for c: 2\n");
}

TEST(WaitCycleTest, APartThatWaitsForItselfIsACycle) {
    EXPECT_EQ(explain({{"a", "a", "1"}}),
              "a cycle of parts that wait for one another:\n  a waits for a: 1\n");
}

}  // namespace
}  // namespace weir::nodes
