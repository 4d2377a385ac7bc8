#include "experiments/setup/parameters/name_pattern.h"

#include <gtest/gtest.h>

namespace weir::experiments::setup {
namespace {

TEST(NamePatternTest, WithoutWildcardsOnlyTheTextItself) {
    EXPECT_TRUE(fits_pattern("hop_cycles", "hop_cycles"));
    EXPECT_FALSE(fits_pattern("hop_cycles", "hop"));
    EXPECT_FALSE(fits_pattern("hop", "hop_cycles"));
    EXPECT_TRUE(fits_pattern("", ""));
}

TEST(NamePatternTest, AStarIsAnyLettersAndAQuestionMarkOne) {
    EXPECT_TRUE(fits_pattern("hop_cycles", "*cycles"));
    EXPECT_TRUE(fits_pattern("cycles", "*cycles*"));
    EXPECT_TRUE(fits_pattern("l1.miss_cycles", "l?.*"));
    EXPECT_FALSE(fits_pattern("l.miss_cycles", "l?.*"));
    EXPECT_FALSE(fits_pattern("hop", "hop?"));
}

}  // namespace
}  // namespace weir::experiments::setup
