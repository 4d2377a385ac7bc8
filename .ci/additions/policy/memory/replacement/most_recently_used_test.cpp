#include "memory/replacement/most_recently_used.h"

#include <gtest/gtest.h>

namespace weir::memory {
namespace {

TEST(MostRecentlyUsedTest, TheLastLineOfASetMakesRoom) {
    MostRecentlyUsed policy({.sets = 2, .ways = 4}, hw::RandomStream(1, hw::NodeId(0), "test"));
    policy.filled(1, false);
    policy.used(6, true);
    EXPECT_EQ(policy.victim(0), 1U);
    EXPECT_EQ(policy.victim(1), 2U);
}

}  // namespace
}  // namespace weir::memory
