#include "memory/cache_array.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "memory/replacement/pseudo_lru_tree.h"
#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using testing::CacheBench;

// One set of four lines, filled with blocks 0 to 3.
class CacheArrayTest : public ::testing::Test {
  public:
    CacheArray& array(const char* replacement) {
        CacheBench::set(parameters_.bytes, std::int64_t{64});
        CacheBench::set(parameters_.line_bytes, std::int64_t{16});
        CacheBench::set(parameters_.ways, std::int64_t{4});
        CacheBench::set(parameters_.replacement, std::string(replacement));
        array_.emplace(parameters_, hw::RandomStream(1, hw::NodeId(0), "test"));
        for (std::uint64_t block = 0; block < 4; ++block) {
            array_->install(*array_->victim(block, hw::Cycles(0)), block);
        }
        return *array_;
    }
    void use(std::uint64_t block) { array_->touch(*array_->find(block), true); }
    std::uint64_t replace(std::uint64_t block) {
        CacheArray::Line& line = *array_->victim(block, hw::Cycles(0));
        const std::uint64_t gone = line.block;
        array_->install(line, block);
        return gone;
    }

  private:
    CacheLevelParameters parameters_{"l1", "", {}};
    std::optional<CacheArray> array_;
};

TEST_F(CacheArrayTest, IsUnusedUntilABlockComes) {
    EXPECT_TRUE(
        CacheArray(CacheLevelParameters("l1", "", {}), hw::RandomStream(1, hw::NodeId(0), "test"))
            .is_unused());
    EXPECT_FALSE(array("lru").is_unused());
}

// Sets with few ways are searched, sets with many use a table.
class CacheArrayWaysTest : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(CacheArrayWaysTest, FindsWhatIsThereAndNothingElse) {
    const auto lines = static_cast<std::uint64_t>(GetParam());
    CacheLevelParameters parameters("l1", "", {});
    CacheBench::set(parameters.line_bytes, std::int64_t{16});
    CacheBench::set(parameters.bytes, 16 * GetParam());
    CacheBench::set(parameters.ways, std::int64_t{0});
    CacheArray array(parameters, hw::RandomStream(1, hw::NodeId(0), "test"));
    for (std::uint64_t block = 0; block < 3 * lines; ++block) {
        array.install(*array.victim(block, hw::Cycles(0)), block);
        EXPECT_EQ(array.find(block)->block, block);
        EXPECT_EQ(array.find(block + 1), nullptr);
        EXPECT_EQ(array.find(block - lines), nullptr);  // the oldest block was replaced
    }
    CacheArray::Line& cleared = *array.find(2 * lines + 1);
    array.clear(cleared);
    EXPECT_EQ(array.find(2 * lines + 1), nullptr);
    EXPECT_EQ(array.victim(0, hw::Cycles(0)), &cleared);
    array.clear(cleared);  // clears the empty line again
    array.install(cleared, 0);
    EXPECT_EQ(array.find(0), &cleared);
    EXPECT_NE(array.victim(1, hw::Cycles(0)), &cleared);
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, CacheArrayWaysTest, ::testing::Values(4, 16, 32, 1024));

TEST_F(CacheArrayTest, LruReplacesWhatWasNotUsedForLongest) {
    array("lru");
    use(0);
    EXPECT_EQ(replace(4), 1U);
    use(2);
    EXPECT_EQ(replace(5), 3U);
    EXPECT_EQ(replace(6), 0U);
}

TEST_F(CacheArrayTest, FifoReplacesWhatCameFirst) {
    array("fifo");
    use(0);
    EXPECT_EQ(replace(4), 0U);
    use(1);
    EXPECT_EQ(replace(5), 1U);
}

// After the fills 0, 1, 2, 3, all three bits of the tree point left. A use of line 0 turns the root
// and its left child.
TEST_F(CacheArrayTest, PseudoLruFollowsItsTree) {
    array("pseudo_lru");
    use(0);
    EXPECT_EQ(replace(4), 2U);
    EXPECT_EQ(replace(5), 1U);
    EXPECT_EQ(replace(6), 3U);
    EXPECT_EQ(replace(7), 0U);
}

TEST(PseudoLruTreeTest, EverySetHasATreeOfItsOwn) {
    PseudoLruTree trees({.sets = 2, .ways = 2}, hw::RandomStream(1, hw::NodeId(0), "test"));
    trees.used(1, true);  // uses the first set's second line
    trees.used(2, true);  // uses the second set's first line
    EXPECT_EQ(trees.victim(0), 0U);
    EXPECT_EQ(trees.victim(1), 1U);
}

TEST_F(CacheArrayTest, RandomReplacesAnyAndTheSameAgain) {
    const auto sequence = [this] {
        array("random");
        std::vector<std::uint64_t> ways;
        for (std::uint64_t block = 4; block < 204; ++block) {
            ways.push_back(replace(block));
        }
        return ways;
    };
    const std::vector<std::uint64_t> first = sequence();
    EXPECT_EQ(first, sequence());
    EXPECT_GT(std::set<std::uint64_t>(first.begin(), first.end()).size(), 100U);
}

// After the fill all predictions are 2. A use sets the line's prediction to 0. The next miss ages
// the set until the first unused line is at 3; the used lines are then at 1.
TEST_F(CacheArrayTest, SrripReplacesTheFirstWhoseUseIsFurthestOff) {
    array("srrip");
    use(0);
    use(2);
    EXPECT_EQ(replace(4), 1U);  // predictions: 1 2 1 3
    EXPECT_EQ(replace(5), 3U);  // predictions: 1 2 1 2
    use(4);                     // predictions: 1 0 1 2
    EXPECT_EQ(replace(6), 5U);  // predictions: 2 1 2 2
    EXPECT_EQ(replace(7), 0U);
}

TEST_F(CacheArrayTest, LinesOnTheirWayStay) {
    CacheArray& four_lines = array("lru");
    four_lines.find(0)->ready = hw::kNever;
    EXPECT_EQ(replace(4), 1U);
    for (CacheArray::Line& line : four_lines.lines()) {
        line.ready = hw::Cycles(50);
    }
    EXPECT_EQ(four_lines.victim(5, hw::Cycles(49)), nullptr);
    EXPECT_NE(four_lines.victim(5, hw::Cycles(50)), nullptr);
}

}  // namespace
}  // namespace weir::memory
