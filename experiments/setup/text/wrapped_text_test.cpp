#include "experiments/setup/text/wrapped_text.h"

#include <gtest/gtest.h>

namespace weir::experiments::setup {
namespace {

TEST(WrappedText, BreaksBetweenWordsAtTheLastThatFits) {
    EXPECT_EQ(wrapped("one two three", "- ", "  ", 9), "- one two\n  three\n");
    EXPECT_EQ(wrapped("one two three", "- ", "  ", 8), "- one\n  two\n  three\n");
}

TEST(WrappedText, KeepsAWordLongerThanALineWhole) {
    EXPECT_EQ(wrapped("a abcdefghij b", "", "  ", 5), "a\n  abcdefghij\n  b\n");
}

TEST(WrappedText, CountsCharactersNotBytes) {
    EXPECT_EQ(width_of("µs²"), 3U);
    EXPECT_EQ(wrapped("µµ µµ", "", "", 5), "µµ µµ\n");
}

TEST(WrappedText, JoinsLinesAndDropsDoubleSpaces) { EXPECT_EQ(wrapped("a\n  b", "", ""), "a b\n"); }

}  // namespace
}  // namespace weir::experiments::setup
