#include "memory/replacement/static_rrip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "memory/replacement/least_recently_used.h"

namespace weir::memory {
namespace {

// A set of four ways with blocks named by letters; empty ways are filled from the first on.
template <class Policy>
class OneSet {
  public:
    template <class... Bits>
    explicit OneSet(Bits... bits)
        : policy_({.sets = 1, .ways = 4}, hw::RandomStream(1, hw::NodeId(0), "test"), bits...) {}

    /// Returns a character for each reference: "h" for a hit, a full stop for a miss.
    std::string reference(const std::vector<std::string>& blocks) {
        std::string course;
        for (const std::string& block : blocks) {
            const auto found = std::find(blocks_.begin(), blocks_.end(), block);
            course += found != blocks_.end() ? 'h' : '.';
            if (found != blocks_.end()) {
                policy_.used(static_cast<std::size_t>(found - blocks_.begin()), true);
            } else if (blocks_.size() < 4) {
                blocks_.push_back(block);
                policy_.filled(blocks_.size() - 1, false);
            } else {
                const std::size_t way = policy_.victim(0);
                EXPECT_EQ(way, policy_.victim(0));
                blocks_[way] = block;
                policy_.filled(way, true);
            }
        }
        return course;
    }
    [[nodiscard]] const std::vector<std::string>& blocks() const { return blocks_; }
    Policy& policy() { return policy_; }

  private:
    std::vector<std::string> blocks_;
    Policy policy_;
};

// A working set of two blocks, a scan of four, and the working set again. SRRIP is designed for
// this mixed access pattern (Jaleel et al., Section 3).
const std::vector<std::string> kScan{"a1", "a2", "a2", "a1", "b1", "b2", "b3", "b4", "a1", "a2"};

TEST(StaticRripTest, KeepsTheWorkingSetThroughAScanThatLruLosesItTo) {
    EXPECT_EQ(OneSet<StaticRrip>().reference(kScan), "..hh....hh");
    EXPECT_EQ(OneSet<LeastRecentlyUsed>().reference(kScan), "..hh......");
}

// One bit is NRU: a block that was used again looks like a new block.
TEST(StaticRripTest, OneBitIsNotRecentlyUsedAndKeepsNothing) {
    EXPECT_EQ(OneSet<StaticRrip>(1).reference(kScan), "..hh......");
}

// More bits tolerate a longer scan: each 2^M - 2 misses of b in the two other ways age a1 and a2 by
// one.
TEST(StaticRripTest, MoreBitsKeepItThroughALongerScan) {
    std::vector<std::string> long_scan{"a1", "a2", "a1", "a2"};
    for (int i = 0; i < 12; ++i) {
        long_scan.push_back("b" + std::to_string(i));
    }
    long_scan.insert(long_scan.end(), {"a1", "a2"});
    EXPECT_EQ(OneSet<StaticRrip>(2).reference(long_scan).substr(16), "..");
    EXPECT_EQ(OneSet<StaticRrip>(3).reference(long_scan).substr(16), "hh");
}

TEST(StaticRripTest, AnAccessThatWaitsForALineOnItsWayIsNoHit) {
    OneSet<StaticRrip> set;
    set.reference({"a1", "a2", "a1", "a2", "b1", "b2"});
    set.policy().used(2, false);
    set.policy().used(3, false);
    EXPECT_EQ(set.reference({"b3", "b4", "a1", "a2"}), "..hh");
}

// A way emptied by an invalidation is filled without ageing the others.
TEST(StaticRripTest, AFillThatThrowsNothingOutAgesNothing) {
    OneSet<StaticRrip> set;
    set.reference({"a", "b", "c", "d", "a", "b", "c"});  // predictions: 0 0 0 2
    for (int i = 0; i < 10; ++i) {
        set.policy().filled(3, false);
    }
    EXPECT_EQ(set.policy().victim(0), 3U);
    set.policy().used(3, true);
    EXPECT_EQ(set.reference({"e"}), ".");
    EXPECT_EQ(set.blocks().front(), "e");
}

}  // namespace
}  // namespace weir::memory
