#include "memory/tlb.h"

#include <gtest/gtest.h>

#include "memory/testing/cache_bench.h"

namespace weir::memory {
namespace {

using testing::CacheBench;

TEST(TlbTest, AWalkPrecedesTheLookup) {
    CacheBench bench;
    CacheBench::set(bench.caches.tlb.entries, std::int64_t{2});
    const auto& first = bench.load(0x40);
    const auto& same_page = bench.load(0x44);
    const auto& second_page = bench.load(0x1080);
    const auto& third_page = bench.load(0x20c0);  // replaces the first page
    const auto& second_again = bench.load(0x1084);
    const auto& first_again = bench.load(0x48);
    bench.run();
    EXPECT_EQ(first.cost(), 30 + 11);
    EXPECT_EQ(same_page.cost(), 2);
    EXPECT_EQ(second_page.cost(), 30 + 11);
    EXPECT_EQ(third_page.cost(), 30 + 11);
    EXPECT_EQ(second_again.cost(), 2);
    EXPECT_EQ(first_again.cost(), 30 + 2);
    EXPECT_TRUE(first_again.at_once);
}

TEST(TlbTest, PagesOfASetReplaceOneAnother) {
    TlbParameters parameters;
    CacheBench::set(parameters.entries, std::int64_t{8});
    CacheBench::set(parameters.ways, std::int64_t{2});
    ASSERT_FALSE(parameters.check().has_value());
    Tlb tlb(parameters);
    const hw::Cycles walk(30);
    for (const std::uint64_t page : {0, 4, 8}) {  // three pages of one set
        EXPECT_EQ(tlb.translate(page * 4096), walk) << page;
    }
    EXPECT_EQ(tlb.translate(4 * 4096), hw::Cycles(0));
    EXPECT_EQ(tlb.translate(0), walk);
    EXPECT_EQ(tlb.translate(8 * 4096), walk);
    EXPECT_EQ(tlb.translate(1 * 4096), walk);
    EXPECT_EQ(tlb.statistics().misses.value(), 6);
}

TEST(TlbTest, EachSetHasEntriesOfItsOwn) {
    TlbParameters parameters;
    CacheBench::set(parameters.entries, std::int64_t{4});
    CacheBench::set(parameters.ways, std::int64_t{2});
    Tlb tlb(parameters);
    for (const std::uint64_t page : {0, 1, 2, 3}) {
        EXPECT_EQ(tlb.translate(page * 4096), hw::Cycles(30)) << page;
    }
    for (const std::uint64_t page : {0, 1, 2, 3}) {
        EXPECT_EQ(tlb.translate(page * 4096), hw::Cycles(0)) << page;
    }
}

TEST(TlbTest, WithoutEntriesNothingIsTranslated) {
    TlbParameters parameters;
    Tlb tlb(parameters);
    EXPECT_EQ(tlb.translate(0x12345678), hw::Cycles(0));
    EXPECT_EQ(tlb.statistics().misses.value(), 0);
}

}  // namespace
}  // namespace weir::memory
