#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using testing::CacheBench;

// A separate first level for instructions, before a second level shared with data.
class InstructionCacheTest : public ::testing::Test {
  public:
    void separate() {
        bench.instructions.emplace("l1_instructions", "", CacheLevelParameters::Defaults{});
    }
    InstructionCacheTest() { bench.fetches_instructions = true; }

    CacheBench bench{2};
};

TEST_F(InstructionCacheTest, TheyDisturbTheDataWhereTheyShareALevel) {
    bench.load(0x40, 10);
    bench.second_core().load(0x1'0040, Cycles(100));
    const auto& data = bench.load(0x40, 200);
    bench.run();
    EXPECT_EQ(data.cost(), 4 + 7 + 2);
}

TEST_F(InstructionCacheTest, AndNotWhereTheyHaveOneOfTheirOwn) {
    separate();
    bench.load(0x40, 10);
    bench.second_core().load(0x1'0040, Cycles(100));
    const auto& data = bench.load(0x40, 200);
    const auto& instruction = bench.second_core().load(0x1'0044, Cycles(300));
    bench.run();
    EXPECT_EQ(data.cost(), 2);
    EXPECT_EQ(instruction.cost(), 2);
    EXPECT_EQ(bench.hierarchy().instruction_statistics().loads.value(), 2);
    EXPECT_EQ(bench.level(0).loads.value(), 2);
    EXPECT_EQ(bench.level(1).loads.value(), 2);
}

TEST_F(InstructionCacheTest, OneLineIsFetchedForBoth) {
    separate();
    const auto& data = bench.load(0x40, 10);
    const auto& instruction = bench.second_core().load(0x44, Cycles(12));
    bench.run();
    // The memory port is asked 4 + 7 + 4 cycles after the first access, grants a cycle later, and
    // moves the line in four.
    EXPECT_EQ(data.end, Cycles(10 + 20 + 2));
    EXPECT_EQ(instruction.end, Cycles(30 + 2));
    EXPECT_EQ(bench.port().statistics().bursts.value(), 1);
}

TEST_F(InstructionCacheTest, ADmaEnginesStoreReachesBoth) {
    separate();
    bench.load(0x40, 10);
    bench.second_core().load(0x40, Cycles(100));
    bench.dma().write(200, 0x40, std::vector<std::uint8_t>(16, 7));
    const auto& data = bench.load(0x40, 300);
    const auto& instruction = bench.second_core().load(0x40, Cycles(400));
    bench.run();
    EXPECT_EQ(data.data, 0x07070707U);
    EXPECT_EQ(instruction.data, 0x07070707U);
}

// Accesses without the bus: instructions hit in their own level, loads and stores in the other.
TEST_F(InstructionCacheTest, ADirectHitIsOfItsOwnSide) {
    separate();
    bench.load(0x40, 10);
    bench.second_core().load(0x80, Cycles(100));
    bench.run();
    CacheHierarchy& caches = bench.hierarchy();
    const Cycles now = bench.domain->now();
    using Side = HitPort::Side;
    EXPECT_NE(caches.hit(Side::kData, 0x44, 4, false, now).bytes, nullptr);
    EXPECT_NE(caches.hit(Side::kInstructions, 0x84, 4, false, now).bytes, nullptr);
    EXPECT_EQ(caches.hit(Side::kInstructions, 0x44, 4, false, now).bytes, nullptr);
    EXPECT_EQ(caches.hit(Side::kData, 0x84, 4, false, now).bytes, nullptr);
    EXPECT_NE(caches.hit(Side::kData, 0x48, 4, true, now).bytes, nullptr);
    EXPECT_EQ(bench.level(0).loads.value(), 1 + 1);
    EXPECT_EQ(bench.level(0).stores.value(), 1);
    EXPECT_EQ(caches.instruction_statistics().loads.value(), 1 + 1);
    caches.count_plain_hits({.fetches = 5, .loads = 3, .stores = 2});
    EXPECT_EQ(bench.level(0).loads.value(), 2 + 3);
    EXPECT_EQ(bench.level(0).stores.value(), 1 + 2);
    EXPECT_EQ(caches.instruction_statistics().loads.value(), 2 + 5);
}

}  // namespace
}  // namespace weir::memory
