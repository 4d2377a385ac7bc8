#include "memory/coherence/miss_classes.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::memory {

namespace {

constexpr std::uint64_t kLine = 0x100;
constexpr std::uint64_t kOther = 0x200;
constexpr std::uint64_t kThird = 0x300;
const hw::NodeId kA(0);
const hw::NodeId kB(1);

/// Two nodes, and their misses to a line.
class MissClassesTest : public ::testing::Test {
  protected:
    // The node takes the line from the other node, and uses a word of it.
    void store(hw::NodeId node, std::uint64_t word) {
        take_from(node == kA ? kB : kA);
        use(node, word, true);
    }
    void load(hw::NodeId node, std::uint64_t word) { use(node, word, false); }
    void use(hw::NodeId node, std::uint64_t word, bool is_store) {
        bool& has = node == kA ? a_has_ : b_has_;
        if (!has) {
            classes.fills(node, kLine);
            has = true;
        }
        classes.performs(node, kLine + 4 * word, 4, is_store);
    }
    void take_from(hw::NodeId node) {
        bool& has = node == kA ? a_has_ : b_has_;
        if (has) {
            classes.loses(node, kLine);
            has = false;
        }
    }
    // Counts of misses at the end of the run, in the order "cold capacity conflict true-sharing
    // false-sharing taken".
    std::string counts(hw::NodeId node) {
        classes.end_of_run();
        const MissClasses::Statistics& s = classes.statistics(node);
        std::string text;
        for (const hw::Counter* counter :
             {&s.cold_misses, &s.capacity_misses, &s.conflict_misses, &s.true_sharing_misses,
              &s.false_sharing_misses, &s.taken_misses}) {
            text += (text.empty() ? "" : " ") + std::to_string(counter->value());
        }
        return text;
    }

    // The line comes to node A, which did not have it.
    void come(std::uint64_t line) {
        classes.fills(kA, line);
        classes.performs(kA, line, 4, false);
    }

    MissClasses classes{2, 2};  // two nodes with two lines each
    bool a_has_ = false;
    bool b_has_ = false;
};

TEST_F(MissClassesTest, AWordThatAnotherStoredIsTrueSharing) {
    load(kA, 0);
    store(kB, 0);
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 0 1 0 0");
    EXPECT_EQ(counts(kB), "1 0 0 0 0 0");
}

TEST_F(MissClassesTest, AnotherWordOfItsLineIsFalseSharing) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    load(kA, 2);
    EXPECT_EQ(counts(kA), "1 0 0 0 1 0");
}

// The class depends on the words used until the line leaves, not on the word that missed.
TEST_F(MissClassesTest, AWordThatIsUsedLaterMakesItTrueSharing) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    load(kA, 1);
    store(kB, 1);
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 0 1 1 0");
}

// A word that came with an unused line is still unseen when the line comes again.
TEST_F(MissClassesTest, AWordNotSeenStaysNews) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    store(kB, 2);
    load(kA, 1);
    EXPECT_EQ(counts(kA), "1 0 0 1 1 0");
}

TEST_F(MissClassesTest, OwnStoresAreNoNews) {
    store(kA, 0);
    take_from(kA);  // a reader takes the only copy
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 0 0 0 1");
}

TEST_F(MissClassesTest, ALineThatMadeRoomComesAgain) {
    load(kA, 0);
    a_has_ = false;
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 1 0 0 0");
}

// Two lines that a fully associative cache of two lines would both keep.
TEST_F(MissClassesTest, LinesInEachOthersWayAreConflicts) {
    for (const std::uint64_t line : {kLine, kOther, kLine, kOther}) {
        come(line);
    }
    EXPECT_EQ(counts(kA), "2 0 2 0 0 0");
}

// Three lines in turn in a cache of two: the next one has always just been replaced.
TEST_F(MissClassesTest, MoreLinesThanTheCacheHasAreCapacity) {
    for (const std::uint64_t line : {kLine, kOther, kThird, kLine, kOther}) {
        come(line);
    }
    EXPECT_EQ(counts(kA), "3 2 0 0 0 0");
}

// A hit makes its line the most recently used, as a miss does.
TEST_F(MissClassesTest, TheLineNotUsedForLongestMakesRoom) {
    come(kLine);
    come(kOther);
    classes.performs(kA, kLine, 4, false);
    come(kThird);  // replaces kOther
    come(kLine);
    come(kOther);
    EXPECT_EQ(counts(kA), "3 1 1 0 0 0");
}

// A line that another node takes leaves its place to others.
TEST_F(MissClassesTest, ATakenLineHasNoPlace) {
    come(kLine);
    come(kOther);
    classes.loses(kA, kOther);
    come(kThird);
    come(kLine);
    EXPECT_EQ(counts(kA), "3 0 1 0 0 0");
}

TEST_F(MissClassesTest, TwoStoresToAWordAreNewsOnce) {
    load(kA, 3);
    store(kB, 3);
    take_from(kB);
    store(kB, 3);
    load(kA, 3);
    EXPECT_EQ(counts(kA), "1 0 0 1 0 0");
    EXPECT_EQ(counts(kB), "1 0 0 0 0 1");
}

}  // namespace

}  // namespace weir::memory
