#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

constexpr std::uint64_t kSameSet = 0x1'0000;

std::vector<std::uint8_t> four(std::uint8_t byte) { return {byte, byte, byte, byte}; }

// Lets misses request their lines at once, so that they take 5 cycles beyond a hit.
void ask_at_once(CacheBench& bench) {
    CacheBench::set(bench.caches.levels[0].miss_cycles, std::int64_t{0});
}

TEST(WriteBackTest, ADirtyLineIsWrittenAfterTheLineThatTakesItsPlaceHasCome) {
    CacheBench bench;
    ask_at_once(bench);
    bench.store(0x40, 0x05050505, 10);
    const auto& load = bench.load(kSameSet + 0x40, 100);
    // The port fetches the line in cycles 101 to 105, and writes the dirty one in 105 to 109. The
    // miss of cycle 107 waits a cycle.
    const auto& next = bench.load(0x80);
    bench.run();
    EXPECT_EQ(load.end, Cycles(107));
    EXPECT_EQ(next.cost(), 7 + 1);
    EXPECT_EQ(bench.in_dram(0x40, 4), four(5));
    EXPECT_EQ(bench.level(0).write_backs.value(), 1);
    EXPECT_EQ(bench.port().statistics().bursts.value(), 4);
}

TEST(WriteBackTest, ACleanLineIsNotWritten) {
    CacheBench bench;
    bench.load(0x40);
    bench.load(kSameSet + 0x40);
    bench.run();
    EXPECT_EQ(bench.level(0).evictions.value(), 1);
    EXPECT_EQ(bench.level(0).write_backs.value(), 0);
    EXPECT_EQ(bench.port().statistics().bursts.value(), 2);
}

TEST(WriteBackTest, AFullWriteBufferIsWrittenFirst) {
    CacheBench bench;
    ask_at_once(bench);
    CacheBench::set(bench.caches.levels[0].write_buffer_entries, std::int64_t{1});
    bench.store(0x40, 5, 10);
    const auto& load = bench.load(kSameSet + 0x40, 100);
    bench.run();
    EXPECT_EQ(load.cost(), 7 + 4);
}

TEST(WriteBackTest, AStoreThatBringsNoLineInGoesOn) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    const auto& store = bench.store(0x40, 0x05050505, 10);
    const auto& load = bench.load(0x40, 100);
    bench.run();
    EXPECT_EQ(store.cost(), 3);
    EXPECT_EQ(bench.level(0).write_throughs.value(), 1);
    EXPECT_EQ(bench.in_dram(0x40, 4), four(5));
    EXPECT_EQ(load.data, 0x05050505U);
}

// A line in the write buffer is fetched only after it was written.
TEST(WriteBackTest, ALineInTheWriteBufferIsNotFetchedStale) {
    CacheBench bench;
    ask_at_once(bench);
    // The write buffer never becomes full, so that fetches go before writes.
    CacheBench::set(bench.caches.levels[0].write_buffer_entries, std::int64_t{4});
    bench.store(0x40, 0x05050505, 10);
    bench.load(kSameSet + 0x40, 100);
    bench.dma().read(100, 0x800, 64);  // occupies the port for 16 cycles
    const auto& again = bench.load(0x40);
    bench.run();
    EXPECT_EQ(again.data, 0x05050505U);
}

TEST(WriteBackTest, ToTheSecondLevelTakesOneOfItsRequests) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[1].busy_cycles, std::int64_t{20});
    bench.load(0x80, 10);
    bench.load(kSameSet + 0x80, 100);
    bench.store(0x40, 0x05050505, 200);
    bench.load(kSameSet + 0x40, 300);
    // The miss is at 300 + 22. The second level took a request in cycle 304 and the dirty line in
    // 324.
    const auto& next = bench.load(0x80);
    bench.run();
    EXPECT_EQ(next.issued, Cycles(322));
    EXPECT_EQ(next.end, Cycles(344 + 7 + 2));
    EXPECT_EQ(bench.level(1).write_backs.value(), 0);
    EXPECT_EQ(bench.in_dram(0x40, 4), four(0));
    EXPECT_EQ(bench.debug_read(0x40, 4), four(5));
}

TEST(WriteBackTest, InclusionTakesInnerLinesAlongAndKeepsTheirBytes) {
    CacheBench bench(2);
    bench.set_level(0, 1 << 12, 16, 4);
    bench.set_level(1, 1 << 13, 16, 1);
    CacheBench::set(bench.caches.levels[1].inclusive, true);
    bench.store(0x40, 0x05050505);
    bench.load(0x2040);  // in the set of 0x40 in the second level only
    const auto& again = bench.load(0x40);
    bench.run();
    EXPECT_EQ(bench.level(0).invalidations.value(), 2);  // 0x40's line, and later 0x2040's
    EXPECT_EQ(again.data, 0x05050505U);
    EXPECT_FALSE(again.at_once);
}

TEST(WriteBackTest, InclusionTakesAllOfALineAndNothingBesideIt) {
    CacheBench bench(2);
    bench.set_level(0, 1 << 12, 16, 4);
    bench.set_level(1, 1 << 13, 32, 1);
    CacheBench::set(bench.caches.levels[1].inclusive, true);
    bench.load(0x10);
    bench.load(0x40);
    bench.load(0x50);
    bench.load(0x60);
    bench.load(0x2040);  // in the set of 0x40 in the second level only
    const auto& before = bench.load(0x10);
    const auto& behind = bench.load(0x60);
    const auto& second_half = bench.load(0x50);
    bench.run();
    EXPECT_EQ(before.cost(), 2);
    EXPECT_EQ(behind.cost(), 2);
    EXPECT_FALSE(second_half.at_once);
}

TEST(WriteThroughTest, AStoreGoesOnAndItsLineStaysClean) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].write_policy, std::string("write_through"));
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    const auto& missed = bench.store(0x40, 0x05050505, 10);
    bench.load(0x40, 100);
    const auto& hit = bench.store(0x44, 0x06060606, 200);
    const auto& load = bench.load(0x44);
    bench.load(kSameSet + 0x40);
    bench.run();
    EXPECT_EQ(missed.cost(), 3);
    EXPECT_EQ(hit.cost(), 3);
    EXPECT_EQ(load.data, 0x06060606U);
    EXPECT_EQ(bench.in_dram(0x40, 4), four(5));
    EXPECT_EQ(bench.in_dram(0x44, 4), four(6));
    EXPECT_EQ(bench.level(0).write_throughs.value(), 2);
    EXPECT_EQ(bench.level(0).write_backs.value(), 0);
}

// Three stores go on to memory, with room for one in the buffer, in bursts of 12 cycles. The first
// store's burst begins at 11. The second store waits in the buffer. The third has no room there
// until 23.
void expect_the_third_store_to_wait(CacheBench& bench) {
    CacheBench::set(bench.memory_port.access_cycles, std::int64_t{10});
    const auto& first = bench.store(0x40, 1, 10);
    const auto& second = bench.store(0x44, 2);
    const auto& third = bench.store(0x48, 3);
    bench.run();
    EXPECT_EQ(first.cost(), 3);
    EXPECT_EQ(second.cost(), 3);
    EXPECT_EQ(third.end, Cycles(23 + 3));
}

TEST(WriteThroughTest, WaitsForRoomInTheWriteBuffer) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].write_policy, std::string("write_through"));
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    CacheBench::set(bench.caches.levels[0].write_buffer_entries, std::int64_t{1});
    expect_the_third_store_to_wait(bench);
}

// The second level does not have the line: it passes the store on, and needs room for that.
TEST(WriteThroughTest, WaitsForRoomBehindALevelThatPassesStoresOn) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    CacheBench::set(bench.caches.levels[0].write_buffer_entries, std::int64_t{8});
    CacheBench::set(bench.caches.levels[1].write_buffer_entries, std::int64_t{1});
    expect_the_third_store_to_wait(bench);
}

// A level that keeps the stores needs no room in the next level's write buffer.
TEST(WriteThroughTest, ALevelThatHasTheLineNeedsNoRoomBehindIt) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[0].write_policy, std::string("write_through"));
    CacheBench::set(bench.caches.levels[0].write_buffer_entries, std::int64_t{8});
    CacheBench::set(bench.caches.levels[1].write_buffer_entries, std::int64_t{1});
    CacheBench::set(bench.memory_port.access_cycles, std::int64_t{10});
    bench.load(0x40, 10);
    bench.store(0x40, 1, 100);
    bench.store(0x44, 2);
    const auto& third = bench.store(0x48, 3);
    bench.run();
    EXPECT_EQ(third.cost(), 3);
    EXPECT_EQ(bench.in_dram(0x48, 4), four(0));
}

// Four stores: the first is being written, and two wait.
TEST(WriteThroughTest, TwoStoresWaitIfNothingElseIsSaid) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].write_policy, std::string("write_through"));
    CacheBench::set(bench.caches.levels[0].write_allocate, false);
    CacheBench::set(bench.memory_port.access_cycles, std::int64_t{10});
    bench.store(0x40, 1, 10);
    bench.store(0x44, 2);
    const auto& third = bench.store(0x48, 3);
    const auto& fourth = bench.store(0x4c, 4);
    bench.run();
    EXPECT_EQ(third.cost(), 3);
    EXPECT_EQ(fourth.end, Cycles(23 + 3));
}

}  // namespace
}  // namespace weir::memory
