#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

// The line requested in cycle 100 arrives in cycle 109.
TEST(MissRegisterTest, AMissToALineOnItsWayWaitsForIt) {
    CacheBench bench;
    const auto& first = bench.load(0x40, 100);
    const auto& second = bench.second_core().load(0x44, Cycles(103));
    bench.run();
    EXPECT_EQ(first.end, Cycles(111));
    EXPECT_EQ(second.end, Cycles(111));
    EXPECT_EQ(bench.level(0).merged_misses.value(), 1);
    EXPECT_EQ(bench.level(0).load_misses.value(), 1);
    EXPECT_EQ(bench.port().statistics().bursts.value(), 1);
}

TEST(MissRegisterTest, OfASecondLevelsLineTheTimeIsKnown) {
    CacheBench bench(2);
    bench.load(0x40);
    bench.load(0x1'0040);
    const auto& first = bench.load(0x40, 100);
    const auto& second = bench.second_core().load(0x44, Cycles(103));
    bench.run();
    EXPECT_EQ(first.end, Cycles(113));
    EXPECT_EQ(second.end, Cycles(113));
    EXPECT_TRUE(second.at_once);
}

// Two of the first level's lines are in one line of the second level, which is in flight.
TEST(MissRegisterTest, AMissBeyondTheFirstLevelWaitsForItsLineToo) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[1].line_bytes, std::int64_t{64});
    bench.load(0x40, 100);
    bench.second_core().load(0x50, Cycles(103));
    bench.run();
    EXPECT_EQ(bench.level(0).merged_misses.value(), 0);
    EXPECT_EQ(bench.level(1).merged_misses.value(), 1);
    EXPECT_EQ(bench.port().statistics().bursts.value(), 1);
}

TEST(MissRegisterTest, HitsGoOnUnderAMiss) {
    CacheBench bench;
    bench.load(0x80);
    bench.load(0x40, 100);
    const auto& hit = bench.second_core().load(0x84, Cycles(102));
    bench.run();
    EXPECT_EQ(hit.cost(), 2);
}

// The second line's burst begins in cycle 15 + 4, when the first one's has ended.
TEST(MissRegisterTest, SeveralLinesAreOnTheirWay) {
    CacheBench bench;
    bench.load(0x40, 10);
    const auto& second = bench.second_core().load(0x80, Cycles(11));
    bench.run();
    EXPECT_EQ(second.end, Cycles(25));
}

// With one register the second miss is looked up again when the first line arrives.
TEST(MissRegisterTest, AMissWithoutARegisterIsLookedUpAgain) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].miss_registers, std::int64_t{1});
    const auto& first = bench.load(0x40, 10);
    const auto& second = bench.second_core().load(0x80, Cycles(11));
    bench.run();
    EXPECT_EQ(first.end, Cycles(21));
    EXPECT_EQ(second.end, Cycles(19 + 11));
    EXPECT_EQ(bench.hierarchy().statistics().retries.value(), 1);
}

// A miss is looked up again, too, if all lines of its set are in flight.
TEST(MissRegisterTest, ALineOnItsWayIsNotReplaced) {
    CacheBench bench;
    const auto& first = bench.store(0x40, 3, 10);
    const auto& second = bench.second_core().load(0x1'0040, Cycles(11));
    const auto& again = bench.load(0x40, 200);
    bench.run();
    EXPECT_EQ(first.end, Cycles(22));
    EXPECT_EQ(second.end, Cycles(30));
    EXPECT_EQ(again.data, 3U);
    EXPECT_EQ(again.cost(), 11);
}

TEST(MissRegisterTest, AStoreThatNeedNotWaitGoesOn) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].store_misses_wait, false);
    bench.debug_write(0x40, {1, 1, 1, 1, 2, 2, 2, 2});
    const auto& store = bench.store(0x40, 0x03030303, 100);
    const auto& load = bench.load(0x40);
    const auto& beside = bench.load(0x44);
    bench.dma().read(100, 0x40, 8);
    bench.run();
    EXPECT_EQ(store.cost(), 3);
    EXPECT_TRUE(store.at_once);
    EXPECT_EQ(load.data, 0x03030303U);
    // The engine's burst occupies the port in cycles 101 to 103; the line arrives in cycle 109.
    EXPECT_EQ(load.end, Cycles(111));
    EXPECT_EQ(beside.data, 0x02020202U);
    EXPECT_EQ(beside.cost(), 2);
}

}  // namespace
}  // namespace weir::memory
