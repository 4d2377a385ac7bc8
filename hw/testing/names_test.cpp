#include "hw/testing/names.h"

#include <gtest/gtest.h>

namespace weir::testing {
namespace {

using weir::testing::Names;

using ::testing::Not;

TEST(NamesTest, TokensStandInOrder) {
    EXPECT_THAT("a.toml:3:7: hops: 0; accepted: 1-8", Names("a.toml:3:7", "hops", "0", "1", "8"));
    EXPECT_THAT("hops: 0; accepted: 1-8", Not(Names("1", "0")));
}

TEST(NamesTest, PartsOfWordsAndNumbersAreNoTokens) {
    EXPECT_THAT("hops is 10", Not(Names("hops", "0")));
    EXPECT_THAT("hops is 10", Not(Names("hops", "1")));
    EXPECT_THAT("hop_cycles is 1", Not(Names("cycles")));
    EXPECT_THAT("10, then 1", Names("1"));
}

TEST(NamesTest, EdgesThatAreNoLettersMayTouchLetters) {
    EXPECT_THAT("bytes=5", Names("bytes="));
    EXPECT_THAT("bytes=5", Names("="));
}

}  // namespace
}  // namespace weir::testing
