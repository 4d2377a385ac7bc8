#include "memory/cache_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "hw/refusal.h"
#include "memory/node_memory.h"
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
    EXPECT_THAT(fault_of(3 << 14, 16, 1), HasSubstr("sets of 1 lines"));
    EXPECT_THAT(fault_of(1000, 16, 1), HasSubstr("sets of 1 lines"));
    EXPECT_EQ(fault_of(32, 64, 1),
              "bytes is less than a line; accepted: l1.line_bytes (64) or more");
    EXPECT_THAT(fault_of(64, 16, 8), HasSubstr("sets of 8 lines"));
}

TEST(CacheParametersTest, ATreeOfBitsNeedsAPowerOfTwo) {
    CacheLevelParameters level{"l1", "", {}};
    CacheBench::set(level.bytes, std::int64_t{3 << 14});
    CacheBench::set(level.ways, std::int64_t{3});
    CacheBench::set(level.replacement, std::string("pseudo_lru"));
    EXPECT_EQ(level.check()->key, "ways");
}

// A machine that satisfies all conditions of parameters.
class AnyMachine final : public hw::Circumstances {
  public:
    [[nodiscard]] std::optional<hw::ParameterValue> value_of(std::string_view key) const override {
        return key == "memory.caches"              ? hw::ParameterValue(std::int64_t{4})
               : key == "memory.instruction_cache" ? hw::ParameterValue(true)
                                                   : std::optional<hw::ParameterValue>();
    }
    [[nodiscard]] bool is_so(hw::Fact /*fact*/) const override { return true; }
};

TEST(CacheParametersTest, NothingIsStoredIntoACacheOfInstructions) {
    const CacheLevelParameters data{"l1", "", {}};
    const CacheLevelParameters instructions{"l1i", "", {.of_instructions = true}};
    EXPECT_TRUE(data.write_policy.effective_when().holds(AnyMachine()));
    EXPECT_FALSE(instructions.write_policy.effective_when().holds(AnyMachine()));
    EXPECT_TRUE(instructions.line_bytes.effective_when().holds(AnyMachine()));
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

TEST(CacheParametersTest, TheLevelsBehindAlewifesOneAreOfUsualSizes) {
    const CacheParameters caches;
    EXPECT_EQ(caches.levels[0].bytes.value(), hw::Bytes(64 << 10)) << "Alewife's";
    EXPECT_EQ(caches.levels[1].bytes.value(), hw::Bytes(256 << 10));
    EXPECT_EQ(caches.levels[2].bytes.value(), hw::Bytes(4 << 20));
    EXPECT_EQ(caches.levels[1].ways.value(), 8);
    EXPECT_EQ(caches.levels[1].access_cycles.value(), hw::Cycles(7));
    EXPECT_EQ(caches.levels[2].access_cycles.value(), hw::Cycles(20));
}

// A level that is not much larger than the previous one adds few lines.
TEST(CacheParametersTest, EachLevelHoldsFourTimesTheOneBeforeItOrMore) {
    const CacheParameters caches;
    for (std::size_t level = 1; level < caches.levels.size(); ++level) {
        EXPECT_GE(caches.levels[level].bytes.value().count(),
                  4 * caches.levels[level - 1].bytes.value().count())
            << "level " << level + 1;
    }
}

// A machine with caches, for conditions of parameters.
class CachedMachine final : public hw::Circumstances {
  public:
    CachedMachine(std::int64_t caches, bool has_instruction_cache)
        : values_{{"memory.caches", caches},
                  {"memory.instruction_cache", has_instruction_cache},
                  {"network.model", std::string("wormhole")}} {}
    [[nodiscard]] std::optional<hw::ParameterValue> value_of(std::string_view key) const override {
        const auto value = values_.find(std::string(key));
        return value == values_.end() ? std::nullopt : std::optional(value->second);
    }
    [[nodiscard]] bool is_so(hw::Fact /*fact*/) const override { return true; }

  private:
    std::map<std::string, hw::ParameterValue> values_;
};

TEST(CacheParametersTest, LevelsHaveAnEffectWhereTheyAreThere) {
    const CacheParameters caches;
    const NodeMemory::Parameters memory;
    for (const std::int64_t count : {0, 1, 2}) {
        for (const bool has_instruction_cache : {false, true}) {
            const CachedMachine machine(count, has_instruction_cache);
            EXPECT_EQ(caches.levels[0].effective_when().holds(machine), count >= 1);
            EXPECT_EQ(caches.levels[1].effective_when().holds(machine), count >= 2);
            EXPECT_EQ(caches.instructions.effective_when().holds(machine),
                      count >= 1 && has_instruction_cache);
            EXPECT_EQ(memory.dma_stores.effective_when().holds(machine), count >= 1);
        }
    }
}

// A set of one line leaves no choice.
TEST(CacheParametersTest, ReplacementHasAnEffectInSetsOfSeveralLines) {
    CacheLevelParameters level{"l1", "", {}};
    const CachedMachine machine(1, false);
    const auto has_effect = [&](std::int64_t ways) {
        CacheBench::set(level.ways, ways);
        return level.replacement.effective_when().holds(machine);
    };
    EXPECT_FALSE(has_effect(1));
    EXPECT_TRUE(has_effect(2));
    EXPECT_TRUE(has_effect(0)) << "all lines are one set";
}

TEST(CacheParametersTest, ReplacementNamesEachPolicyOnce) {
    const CacheLevelParameters level{"l1", "", {}};
    EXPECT_THAT(level.replacement.sentence(), ::testing::MatchesRegex("[^:]+: [^;]+(; [^;]+)+"));
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
    CacheBench::set(caches.tlb.entries, std::int64_t{1});
    EXPECT_EQ(caches.check(1)->key, "tlb.page_bytes");
    CacheBench::set(caches.tlb.entries, std::int64_t{0});
    EXPECT_FALSE(caches.check(1).has_value()) << "there is none";
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
