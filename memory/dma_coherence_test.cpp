#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "hw/testing/every_order.h"
#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

std::vector<std::uint8_t> filled(std::size_t bytes, std::uint8_t byte) {
    return std::vector<std::uint8_t>(bytes, byte);
}

TEST(DmaCoherenceTest, AStoreTakesTheLineOut) {
    CacheBench bench;
    bench.load(0x40, 10);
    bench.dma().write(100, 0x40, filled(16, 7));
    const auto& load = bench.load(0x40, 200);
    bench.run();
    EXPECT_EQ(load.data, 0x07070707U);
    EXPECT_EQ(load.cost(), 11);
    EXPECT_EQ(bench.level(0).invalidations.value(), 1);
    EXPECT_EQ(bench.hierarchy().statistics().snooped_bursts.value(), 1);
}

TEST(DmaCoherenceTest, AStoreTakesOutTheLinesItTouchesAndNoOthers) {
    CacheBench bench;
    for (const std::uint64_t address : {0x30, 0x40, 0x50, 0x60}) {
        bench.load(address);
    }
    bench.dma().write(200, 0x40, filled(32, 7));
    const auto& before = bench.load(0x30, 300);
    const auto& first = bench.load(0x40);
    const auto& last = bench.load(0x50);
    const auto& behind = bench.load(0x60);
    bench.run();
    EXPECT_EQ(before.cost(), 2);
    EXPECT_EQ(first.cost(), 11);
    EXPECT_EQ(last.cost(), 11);
    EXPECT_EQ(behind.cost(), 2);
    EXPECT_EQ(bench.level(0).invalidations.value(), 2);
}

TEST(DmaCoherenceTest, OrChangesIt) {
    CacheBench bench(2);
    CacheBench::set(bench.memory.dma_stores, std::string("update"));
    bench.load(0x40, 10);
    bench.dma().write(100, 0x40, filled(16, 7));
    const auto& load = bench.load(0x40, 200);
    bench.run();
    EXPECT_EQ(load.data, 0x07070707U);
    EXPECT_EQ(load.cost(), 2);
    EXPECT_EQ(bench.level(0).invalidations.value(), 0);
}

// A DMA engine overwrites half of a dirty line. The other half is kept, with one level of cache and
// with two.
TEST(DmaCoherenceTest, WhatElseADirtyLineHoldsIsKept) {
    for (const std::size_t levels : {1, 2}) {
        EXPECT_EQ(hw::testing::result_of_separate_run([levels] {
                      CacheBench bench(levels);
                      CacheBench::set(bench.caches.levels[1].line_bytes, std::int64_t{64});
                      bench.store(0x48, 0x05050505, 10);
                      bench.dma().write(100, 0x40, filled(8, 7));
                      const auto& theirs = bench.load(0x40, 200);
                      const auto& own = bench.load(0x48);
                      bench.run();
                      std::ostringstream text;
                      text << std::hex << theirs.data << ' ' << own.data << ' '
                           << static_cast<int>(bench.debug_read(0x4b, 1)[0]);
                      return text.str();
                  }),
                  "7070707 5050505 5")
            << levels;
    }
}

TEST(DmaCoherenceTest, ADirtyLineCoveredWholeIsNotWrittenBack) {
    CacheBench bench;
    bench.store(0x48, 5, 10);
    bench.dma().write(100, 0x40, filled(16, 7));
    bench.run();
    EXPECT_EQ(bench.level(0).write_backs.value(), 0);
    EXPECT_EQ(bench.in_dram(0x48, 1), filled(1, 7));
}

TEST(DmaCoherenceTest, ALoadHasWhatIsDirtyInCachesAndWriteBuffers) {
    CacheBench bench(2);
    CacheBench::set(bench.caches.levels[0].miss_cycles, std::int64_t{0});
    bench.store(0x40, 0x05050505, 10);
    bench.store(0x80, 0x06060606, 60);
    const auto& cached = bench.dma().read(100, 0x40, 4);
    bench.load(0x1'0080, 200);  // the line of 0x80 goes to the second level
    const auto& beyond = bench.dma().read(300, 0x80, 4);
    bench.run();
    EXPECT_EQ(cached.data, filled(4, 5));
    EXPECT_EQ(beyond.data, filled(4, 6));
    EXPECT_EQ(bench.in_dram(0x40, 1), filled(1, 0));
}

// The write buffer holds the dirty line while a long burst occupies the port.
TEST(DmaCoherenceTest, AStoreChangesWhatIsInTheWriteBuffer) {
    CacheBench bench;
    bench.store(0x40, 0x05050505, 10);
    bench.store(0x44, 0x06060606);
    bench.load(0x1'0040, 100);
    bench.dma().read(104, 0x800, 256);
    const auto& seen = bench.dma().read(105, 0x44, 4);
    bench.dma().write(106, 0x40, filled(4, 7));
    bench.run();
    EXPECT_EQ(seen.data, filled(4, 6));
    EXPECT_EQ(bench.in_dram(0x40, 8), (std::vector<std::uint8_t>{7, 7, 7, 7, 6, 6, 6, 6}));
}

// Processor and engine access the same bytes in the same cycles. In any order of ticks, the
// processor's access of a cycle comes before the burst granted in it.
TEST(DmaCoherenceTest, NoOrderOfTicksIsSeen) {
    std::set<std::string> results;
    for (const hw::testing::TickVariant& variant : hw::testing::kTickVariants) {
        results.insert(hw::testing::result_of_separate_run([&variant] {
            CacheBench bench(2);
            CacheBench::set(bench.clock.tick_order, std::string(variant.order));
            CacheBench::set(bench.clock.sleeping, variant.sleeping);
            CacheBench::set(bench.caches.levels[0].miss_registers, std::int64_t{1});
            CacheBench::set(bench.caches.levels[0].prefetch_next_line, true);
            bench.set_level(0, 256, 16, 2);
            bench.set_level(1, 1024, 32, 2);
            hw::RandomStream random(1, hw::NodeId(0), "accesses");
            for (int i = 0; i < 3000; ++i) {
                const std::uint64_t word = random.below(512) * 4;
                if (random.below(2) == 0) {
                    bench.load(word);
                } else {
                    bench.store(word, random.next() & 0xffff'ffff);
                }
                if (i % 8 == 0) {
                    const std::uint64_t address = random.below(256) * 8;
                    if (random.below(2) == 0) {
                        bench.dma().read(0, address, 16);
                    } else {
                        bench.dma().write(0, address,
                                          filled(16, static_cast<std::uint8_t>(random.next())));
                    }
                }
            }
            bench.run(1'000'000);
            std::ostringstream text;
            for (const hw::testing::BusAccess& access : bench.core().accesses()) {
                text << access.end << ' ' << access.data << '\n';
            }
            for (const std::uint8_t byte : bench.debug_read(0, 2048 + 16)) {
                text << static_cast<int>(byte) << ' ';
            }
            return text.str();
        }));
    }
    ASSERT_EQ(results.size(), 1U);
    EXPECT_GT(results.begin()->size(), 30'000U);
}

}  // namespace
}  // namespace weir::memory
