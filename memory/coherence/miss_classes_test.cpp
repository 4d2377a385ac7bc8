#include "memory/coherence/miss_classes.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::memory {

namespace {

constexpr std::uint64_t kLine = 0x100;
const hw::NodeId kA(0);
const hw::NodeId kB(1);

/// Two nodes and their misses of a line.
class MissClassesTest : public ::testing::Test {
  protected:
    // A node takes the line from the other one, and uses a word of it.
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
    // "cold, replacement, true sharing, false sharing, taken", once all is over.
    std::string counts(hw::NodeId node) {
        classes.end_of_run();
        const MissClasses::Statistics& s = classes.statistics(node);
        std::string text;
        for (const hw::Counter* counter :
             {&s.cold_misses, &s.replacement_misses, &s.true_sharing_misses,
              &s.false_sharing_misses, &s.taken_misses}) {
            text += (text.empty() ? "" : " ") + std::to_string(counter->value());
        }
        return text;
    }

    MissClasses classes{2};
    bool a_has_ = false;
    bool b_has_ = false;
};

TEST_F(MissClassesTest, AWordThatAnotherStoredIsTrueSharing) {
    load(kA, 0);
    store(kB, 0);
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 1 0 0");
    EXPECT_EQ(counts(kB), "1 0 0 0 0");
}

TEST_F(MissClassesTest, AnotherWordOfItsLineIsFalseSharing) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    load(kA, 2);
    EXPECT_EQ(counts(kA), "1 0 0 1 0");
}

// It is not the word that misses that counts, but what is used until the line goes.
TEST_F(MissClassesTest, AWordThatIsUsedLaterMakesItTrueSharing) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    load(kA, 1);
    store(kB, 1);
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 1 1 0");
}

// What came with a line that went unused is still news when the line comes again.
TEST_F(MissClassesTest, AWordNotSeenStaysNews) {
    load(kA, 0);
    store(kB, 1);
    load(kA, 0);
    store(kB, 2);
    load(kA, 1);
    EXPECT_EQ(counts(kA), "1 0 1 1 0");
}

TEST_F(MissClassesTest, OwnStoresAreNoNews) {
    store(kA, 0);
    take_from(kA);  // by a reader
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 0 0 0 1");
}

TEST_F(MissClassesTest, ALineThatMadeRoomComesAgain) {
    load(kA, 0);
    a_has_ = false;
    load(kA, 0);
    EXPECT_EQ(counts(kA), "1 1 0 0 0");
}

TEST_F(MissClassesTest, TwoStoresToAWordAreNewsOnce) {
    load(kA, 3);
    store(kB, 3);
    take_from(kB);
    store(kB, 3);
    load(kA, 3);
    EXPECT_EQ(counts(kA), "1 0 1 0 0");
    EXPECT_EQ(counts(kB), "1 0 0 0 1");
}

}  // namespace

}  // namespace weir::memory
