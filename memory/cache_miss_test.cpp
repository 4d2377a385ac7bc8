#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

// A miss takes 4 cycles to the request, 1 until the port sees it, two beats of 2, and the cycles of
// a hit.
TEST(CacheMissTest, ALineFromMemoryTakesNineCycles) {
    CacheBench bench;
    const auto& load = bench.load(0x40, 100);
    const auto& store = bench.store(0x80, 5, 200);
    const auto& load_double = bench.core().append({tlm::TLM_READ_COMMAND, 0xc0, 0, 8});
    const auto& hit = bench.load(0x80);
    bench.run();
    EXPECT_EQ(load.cost(), 11);
    EXPECT_EQ(store.cost(), 12);
    EXPECT_EQ(load_double.cost(), 12);
    EXPECT_FALSE(load.at_once || store.at_once || load_double.at_once);
    EXPECT_EQ(hit.cost(), 2);
    EXPECT_EQ(hit.data, 5U);
    EXPECT_EQ(bench.hierarchy().statistics().stall_cycles.value(), 27);
}

// The miss takes 4 cycles to the request, and 7 in the second level.
TEST(CacheMissTest, ALineFromTheSecondLevelIsKnownAtOnce) {
    CacheBench bench(2);
    bench.load(0x40);
    bench.load(0x1'0040);  // replaces the line of 0x40 in the first level
    const auto& load = bench.load(0x44);
    bench.run();
    EXPECT_EQ(bench.core().accesses()[0].cost(), 4 + 7 + 4 + 1 + 4 + 2);
    EXPECT_EQ(load.cost(), 4 + 7 + 2);
    EXPECT_TRUE(load.at_once);
    EXPECT_EQ(bench.level(1).loads.value(), 3);
    EXPECT_EQ(bench.level(1).load_misses.value(), 2);
    EXPECT_EQ(bench.level(0).evictions.value(), 2);
}

// Two processors, and a second level that takes a request every 5 cycles.
TEST(CacheMissTest, ALevelTakesOneRequestAtATime) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[1].busy_cycles, std::int64_t{5});
    bench.load(0x40);
    bench.load(0x80);
    bench.load(0x1'0040);
    bench.load(0x1'0080);
    const auto& first = bench.load(0x40, 500);
    const auto& second = bench.second_core().load(0x80, Cycles(501));
    bench.run();
    EXPECT_EQ(first.cost(), 13);
    EXPECT_EQ(second.cost(), 13 + 4);
    EXPECT_EQ(bench.hierarchy().statistics().handler_stall_cycles.value(), 15);
}

TEST(CacheMissTest, LongerLinesBeyondComeWhole) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[1].line_bytes, std::int64_t{64});
    const auto& first = bench.load(0x40);
    const auto& beside = bench.load(0x70);
    bench.run();
    EXPECT_EQ(first.cost(), 4 + 7 + 4 + 1 + 16 + 2);
    EXPECT_EQ(beside.cost(), 4 + 7 + 2);
    EXPECT_EQ(bench.port().statistics().bytes.value(), 64);
}

// A burst of 64 bytes, requested in cycle 100, occupies the port in cycles 101 to 117.
TEST(CacheMissTest, WaitsForTheMemoryPort) {
    CacheBench bench;
    bench.dma().read(100, 0x800, 64);
    const auto& load = bench.load(0x40, 100);
    bench.run();
    EXPECT_EQ(load.cost(), 17 + 4 + 2);
    EXPECT_EQ(bench.port().statistics().wait_cycles.value(), 12);
}

TEST(CacheMissTest, TheDramsAccessTimeAndItsOpenRow) {
    CacheBench bench;
    CacheBench::set(bench.memory_port.access_cycles, std::int64_t{30});
    CacheBench::set(bench.memory_port.row_bytes, std::int64_t{1024});
    CacheBench::set(bench.memory_port.row_access_cycles, std::int64_t{10});
    const auto& closed = bench.load(0x40);
    const auto& open = bench.load(0x80);
    const auto& another = bench.load(0x400);
    const auto& closed_again = bench.load(0xc0);
    bench.run();
    EXPECT_EQ(closed.cost(), 11 + 30);
    EXPECT_EQ(open.cost(), 11 + 10);
    EXPECT_EQ(another.cost(), 11 + 30);
    EXPECT_EQ(closed_again.cost(), 11 + 30);
    EXPECT_EQ(bench.port().statistics().open_row_bursts.value(), 1);
}

}  // namespace
}  // namespace weir::memory
