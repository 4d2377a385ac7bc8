#include "hw/full_empty_use.h"

#include <gtest/gtest.h>

namespace weir::hw {
namespace {

TEST(FullEmptyUseTest, IsRefusedInTheStateThatItDoesNotNeed) {
    using Needs = FullEmptyUse::Needs;
    const auto refused = [](Needs needs, bool was_full) {
        return FullEmptyUse{.is_used = true, .needs = needs, .was_full = was_full}.is_refused();
    };
    EXPECT_FALSE(refused(Needs::kFull, true));
    EXPECT_TRUE(refused(Needs::kFull, false));
    EXPECT_TRUE(refused(Needs::kEmpty, true));
    EXPECT_FALSE(refused(Needs::kEmpty, false));
    EXPECT_FALSE(refused(Needs::kEither, true));
    EXPECT_FALSE(refused(Needs::kEither, false));
    EXPECT_FALSE((FullEmptyUse{.needs = Needs::kFull, .was_full = false}.is_refused()))
        << "an ordinary access";
}

TEST(FullEmptyUseTest, ChangesTheBitIfItLeavesAState) {
    using Leaves = FullEmptyUse::Leaves;
    EXPECT_TRUE((FullEmptyUse{.is_used = true, .leaves = Leaves::kEmpty}.changes_bit()));
    EXPECT_FALSE((FullEmptyUse{.is_used = true, .leaves = Leaves::kAsItWas}.changes_bit()));
    EXPECT_FALSE((FullEmptyUse{.leaves = Leaves::kFull}.changes_bit()));
}

}  // namespace
}  // namespace weir::hw
