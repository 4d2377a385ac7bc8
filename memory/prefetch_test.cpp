#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

// The next line's burst follows that of the missed line; the next line arrives in cycle 113.
TEST(PrefetchTest, TheNextLineFollowsAMissAndTheFirstUseOfALineFetchedAhead) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].prefetch_next_line, true);
    const auto& missed = bench.load(0x40, 100);
    const auto& next = bench.load(0x50);
    const auto& third = bench.load(0x60, 200);
    const auto& third_again = bench.load(0x64);
    bench.run();
    EXPECT_EQ(missed.end, Cycles(111));
    EXPECT_EQ(next.end, Cycles(113 + 2));
    EXPECT_EQ(third.cost(), 2);
    EXPECT_EQ(third_again.cost(), 2);
    EXPECT_EQ(bench.level(0).load_misses.value(), 1);
    EXPECT_EQ(bench.level(0).prefetches.value(), 3);
    EXPECT_EQ(bench.level(0).useful_prefetches.value(), 2);
}

TEST(PrefetchTest, TheNextLineFollowsAnyWordOfTheMissedOne) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].prefetch_next_line, true);
    bench.load(0x4c, 100);
    const auto& next = bench.load(0x50, 200);
    bench.run();
    EXPECT_EQ(next.cost(), 2);
    EXPECT_EQ(bench.level(0).useful_prefetches.value(), 1);
}

TEST(PrefetchTest, NotIntoAnotherPageNorBeyondMemory) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].prefetch_next_line, true);
    CacheBench::set(bench.caches.tlb.entries, std::int64_t{4});
    CacheBench::set(bench.memory.bytes, std::int64_t{8192});
    bench.load(0xff0);
    bench.load(0x1ff0);
    bench.run();
    EXPECT_EQ(bench.level(0).prefetches.value(), 0);
}

TEST(PrefetchTest, TheSecondLevelFetchesAheadForItself) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[1].prefetch_next_line, true);
    bench.load(0x40, 100);
    const auto& next = bench.load(0x50, 200);
    bench.run();
    EXPECT_EQ(next.cost(), 4 + 7 + 2);
    EXPECT_EQ(bench.level(1).useful_prefetches.value(), 1);
}

// A store that allocates no line in the first level meets the line in flight to the second. A later
// load gets the line with the stored bytes.
TEST(PrefetchTest, ALineOnItsWayBringsInnerLevelsWhatWasStoredMeanwhile) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    CacheBench::set(bench.caches.levels[1].prefetch_next_line, true);
    CacheBench::set(bench.memory_port.access_cycles, std::int64_t{50});
    bench.load(0x40, 100);
    bench.store(0x50, 0x05050505);
    const auto& load = bench.load(0x50);
    bench.run();
    EXPECT_EQ(load.data, 0x05050505U);
    EXPECT_EQ(bench.level(1).merged_misses.value(), 1);
}

}  // namespace
}  // namespace weir::memory
