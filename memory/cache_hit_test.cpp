#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

TEST(CacheHitTest, TakesWhatTheMemoryTableSaysAndIsAnsweredAtOnce) {
    CacheBench bench;
    bench.load(0x40);
    const auto& load = bench.load(0x44);
    const auto& store = bench.store(0x48, 7);
    const auto& load_double = bench.core().append({tlm::TLM_READ_COMMAND, 0x48, 0, 8});
    const auto& store_double = bench.core().append({tlm::TLM_WRITE_COMMAND, 0x40, 9, 8});
    bench.run();
    EXPECT_EQ(load.cost(), 2);
    EXPECT_EQ(store.cost(), 3);
    EXPECT_EQ(load_double.cost(), 3);
    EXPECT_EQ(store_double.cost(), 4);
    EXPECT_TRUE(load.at_once && store.at_once && load_double.at_once && store_double.at_once);
    EXPECT_EQ(load_double.data, 7U);
    EXPECT_EQ(bench.level(0).loads.value(), 3);
    EXPECT_EQ(bench.level(0).stores.value(), 2);
    EXPECT_EQ(bench.level(0).load_misses.value(), 1);
    EXPECT_EQ(bench.port().statistics().bursts.value(), 1);
}

TEST(CacheHitTest, APlainHitIsInALineThatIsHere) {
    CacheBench bench;
    bench.load(0x40);
    bench.run(50);
    const auto hit = [&](std::uint64_t address, bool is_store) {
        const DirectMappedLines lines = bench.hierarchy().plain_data();
        return lines.hit(address, is_store, Cycles(50)).bytes != nullptr;
    };
    EXPECT_TRUE(hit(0x44, false));
    EXPECT_TRUE(hit(0x44, true));
    EXPECT_FALSE(hit(0x50, false));
    EXPECT_FALSE(hit(0x40 + (1 << 16), false)) << "another line with its place";
}

TEST(CacheHitTest, AStoreThatGoesOnToMemoryIsNoPlainHit) {
    CacheBench bench;
    CacheBench::set(bench.caches.levels[0].write_policy, std::string("write_through"));
    bench.load(0x40);
    bench.run(50);
    const DirectMappedLines lines = bench.hierarchy().plain_data();
    EXPECT_NE(lines.hit(0x44, false, Cycles(50)).bytes, nullptr);
    EXPECT_EQ(lines.hit(0x44, true, Cycles(50)).bytes, nullptr);
}

TEST(CacheHitTest, DebugAccessesSeeAndChangeWhatAProcessorWould) {
    CacheBench bench;
    bench.store(0x40, 0x01020304);
    bench.run(50);
    EXPECT_EQ(bench.debug_read(0x40, 4), (std::vector<std::uint8_t>{4, 3, 2, 1}));
    EXPECT_EQ(bench.in_dram(0x40, 4), (std::vector<std::uint8_t>{0, 0, 0, 0}));
    bench.debug_write(0x41, {9});
    const auto& load = bench.load(0x40);
    bench.run();
    EXPECT_EQ(load.data, 0x01020904U);
    EXPECT_EQ(load.cost(), 2);
}

TEST(CacheHitTest, RefusesWhatIsNotAlignedOrNotThere) {
    CacheBench bench;
    CacheBench::set(bench.memory.bytes, std::int64_t{4096});
    const auto& odd = bench.load(0x42);
    const auto& beyond = bench.load(4096);
    const auto& wide = bench.core().append({tlm::TLM_READ_COMMAND, 0, 0, 16});
    bench.run();
    EXPECT_EQ(odd.status, tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(beyond.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(wide.status, tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.level(0).loads.value(), 0);
}

}  // namespace
}  // namespace weir::memory
