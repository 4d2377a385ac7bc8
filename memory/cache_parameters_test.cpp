#include "memory/cache_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/refusal.h"
#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using testing::CacheBench;
using ::testing::HasSubstr;

std::string fault_of(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways) {
    CacheLevelParameters level{"l1", "", {}};
    CacheBench::set(level.bytes, bytes);
    CacheBench::set(level.line_bytes, line_bytes);
    CacheBench::set(level.ways, ways);
    const auto fault = level.check();
    return fault ? fault->key + " " + hw::text_of(*fault) : "";
}

TEST(CacheParametersTest, SetsAndLinesArePowersOfTwo) {
    EXPECT_EQ(fault_of(1 << 16, 16, 1), "");
    EXPECT_EQ(fault_of(3 << 14, 16, 3), "");
    EXPECT_EQ(fault_of(1 << 16, 16, 0), "");
    EXPECT_EQ(fault_of(1 << 16, 24, 1),
              "line_bytes is no power of two; accepted: 8, 16, 32 ... 4096");
    EXPECT_THAT(fault_of(3 << 14, 16, 1), HasSubstr("bytes makes no sets of 1 lines"));
    EXPECT_THAT(fault_of(1000, 16, 1), HasSubstr("bytes makes no sets"));
    EXPECT_EQ(fault_of(32, 64, 1),
              "bytes is less than a line; accepted: l1.line_bytes (64) or more");
    EXPECT_THAT(fault_of(64, 16, 8), HasSubstr("bytes makes no sets of 8 lines"));
}

TEST(CacheParametersTest, ATreeOfBitsNeedsAPowerOfTwo) {
    CacheLevelParameters level{"l1", "", {}};
    CacheBench::set(level.bytes, std::int64_t{3 << 14});
    CacheBench::set(level.ways, std::int64_t{3});
    CacheBench::set(level.replacement, std::string("pseudo_lru"));
    EXPECT_EQ(level.check()->key, "ways");
}

TEST(CacheParametersTest, LevelsGrowOutwards) {
    CacheParameters caches;
    EXPECT_FALSE(caches.check(4).has_value());
    CacheBench::set(caches.levels[1].line_bytes, std::int64_t{8});
    EXPECT_EQ(caches.check(2)->key, "l2.line_bytes");
    EXPECT_EQ(caches.check(2)->found, "l2.line_bytes is 8, less than l1.line_bytes");
    EXPECT_EQ(caches.check(2)->accepted, "16 or more");
    EXPECT_FALSE(caches.check(1).has_value());
    CacheBench::set(caches.levels[1].line_bytes, std::int64_t{16});
    CacheBench::set(caches.levels[2].bytes, std::int64_t{1 << 17});
    EXPECT_EQ(caches.check(3)->key, "l3.bytes");
}

TEST(CacheParametersTest, TheSecondLevelHoldsTheInstructionCachesLines) {
    CacheParameters caches;
    EXPECT_FALSE(caches.check(2, true).has_value());
    CacheBench::set(caches.instructions.line_bytes, std::int64_t{64});
    CacheBench::set(caches.levels[1].line_bytes, std::int64_t{32});
    EXPECT_FALSE(caches.check(2, false).has_value()) << "there is none";
    EXPECT_FALSE(caches.check(1, true).has_value()) << "it stands before the memory";
    EXPECT_EQ(caches.check(2, true)->key, "l2.line_bytes");
    CacheBench::set(caches.levels[1].line_bytes, std::int64_t{64});
    EXPECT_FALSE(caches.check(2, true).has_value());
}

TEST(CacheParametersTest, PagesHoldLines) {
    CacheParameters caches;
    CacheBench::set(caches.tlb.entries, std::int64_t{64});
    CacheBench::set(caches.tlb.page_bytes, std::int64_t{64});
    EXPECT_FALSE(caches.check(1).has_value());
    CacheBench::set(caches.levels[0].line_bytes, std::int64_t{128});
    EXPECT_EQ(caches.check(1)->key, "tlb.page_bytes");
}

TEST(CacheParametersTest, TheTlbHasWholeSets) {
    TlbParameters tlb;
    CacheBench::set(tlb.entries, std::int64_t{48});
    EXPECT_FALSE(tlb.check().has_value());
    CacheBench::set(tlb.ways, std::int64_t{4});
    EXPECT_EQ(tlb.check()->key, "entries");
    CacheBench::set(tlb.page_bytes, std::int64_t{1000});
    EXPECT_EQ(tlb.check()->key, "page_bytes");
}

}  // namespace
}  // namespace weir::memory
