#include "experiments/models/memory_logp/hierarchy_misses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <random>
#include <string>
#include <utility>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

/// A cache or TLB that simulates replacement: sets of blocks, the most recently used first.
class LruStore {
  public:
    LruStore(std::int64_t sets, std::int64_t ways)
        : ways_(static_cast<std::size_t>(ways)), sets_(static_cast<std::size_t>(sets)) {}

    bool hits(std::uint64_t block) {
        auto& set = sets_[block % sets_.size()];
        for (auto held = set.begin(); held != set.end(); ++held) {
            if (*held == block) {
                set.splice(set.begin(), set, held);
                return true;
            }
        }
        set.push_front(block);
        if (set.size() > ways_) {
            set.pop_back();
        }
        return false;
    }

  private:
    std::size_t ways_;
    std::vector<std::list<std::uint64_t>> sets_;
};

/// Pairs of references and misses, for each repetition.
using Counts = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Replayed {
    std::vector<Counts> levels;
    Counts tlb;
};

// Finds the lines of an element byte by byte, independently of the model.
Replayed replay(const MemoryHierarchyGeometry& geometry, const AccessPattern& pattern) {
    const auto repetitions = static_cast<std::size_t>(pattern.repetitions);
    std::vector<LruStore> caches;
    for (const auto& level : geometry.levels) {
        caches.emplace_back(level.sets(), level.lines_in_a_set());
    }
    const bool translates = geometry.tlb.entries > 0;
    LruStore tlb(translates ? geometry.tlb.sets() : 1,
                 translates ? geometry.tlb.entries_in_a_set() : 1);
    Replayed counts{std::vector<Counts>(geometry.levels.size(), Counts(repetitions)),
                    Counts(translates ? repetitions : 0)};

    const auto touch_line = [&](std::uint64_t address, std::size_t repetition) {
        if (translates) {
            ++counts.tlb[repetition].first;
            counts.tlb[repetition].second +=
                tlb.hits(address / static_cast<std::uint64_t>(geometry.tlb.page_bytes)) ? 0 : 1;
        }
        for (std::size_t level = 0; level < caches.size(); ++level) {
            ++counts.levels[level][repetition].first;
            const auto line_bytes = static_cast<std::uint64_t>(geometry.levels[level].line_bytes);
            if (caches[level].hits(address / line_bytes)) {
                return;
            }
            ++counts.levels[level][repetition].second;
        }
    };
    const auto touch = [&](std::int64_t first, std::size_t repetition) {
        for (std::int64_t byte = first; byte < first + pattern.element_bytes; ++byte) {
            if (byte == first || byte % geometry.levels[0].line_bytes == 0) {
                touch_line(static_cast<std::uint64_t>(byte), repetition);
            }
        }
    };
    const bool source_strided = pattern.kind != TransferKind::kUnpack;
    const bool destination_strided = pattern.kind != TransferKind::kPack;
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        for (std::int64_t i = 0; i < pattern.elements; ++i) {
            touch(pattern.source_address +
                      i * (source_strided ? pattern.stride_bytes : pattern.element_bytes),
                  repetition);
            if (pattern.kind != TransferKind::kRead) {
                touch(pattern.destination_address +
                          i * (destination_strided ? pattern.stride_bytes : pattern.element_bytes),
                      repetition);
            }
        }
    }
    return counts;
}

Counts counts_of(const std::vector<RepetitionMisses>& repetitions) {
    Counts counts;
    for (const RepetitionMisses& repetition : repetitions) {
        counts.emplace_back(repetition.references, repetition.misses);
    }
    return counts;
}

std::int64_t pick(std::mt19937_64& random, std::int64_t smallest, std::int64_t largest) {
    return std::uniform_int_distribution(smallest, largest)(random);
}

MemoryHierarchyGeometry random_geometry(std::mt19937_64& random) {
    MemoryHierarchyGeometry geometry;
    std::int64_t line_bytes = std::int64_t{1} << pick(random, 0, 5);
    const std::int64_t first_line_bytes = line_bytes;
    for (std::int64_t level = pick(random, 1, 3); level > 0; --level) {
        CacheLevelGeometry cache;
        cache.line_bytes = line_bytes;
        const std::int64_t ways = pick(random, 1, 6);
        // Numbers of sets include some that are no power of two.
        cache.bytes = line_bytes * ways * pick(random, 1, 24);
        cache.ways = pick(random, 0, 3) == 0 ? kFullyAssociative : ways;
        cache.miss_cycles = 1.0;
        geometry.levels.push_back(cache);
        line_bytes <<= pick(random, 0, 2);
    }
    const std::int64_t ways = pick(random, 1, 4);
    geometry.tlb = {ways * pick(random, 0, 4), ways, first_line_bytes << pick(random, 0, 4), 1.0};
    return geometry;
}

AccessPattern random_pattern(std::mt19937_64& random) {
    AccessPattern pattern;
    pattern.kind = static_cast<TransferKind>(pick(random, 0, 3));
    pattern.element_bytes = pick(random, 1, 12);
    pattern.stride_bytes = pattern.element_bytes + pick(random, 0, 100);
    pattern.elements = pick(random, 1, 120);
    pattern.repetitions = pick(random, 1, 4);
    pattern.source_address = pick(random, 0, 5000);
    pattern.destination_address = pick(random, 0, 20000);
    return pattern;
}

TEST(HierarchyMisses, EqualThoseOfCachesThatReplace) {
    std::mt19937_64 random(2002);
    std::int64_t replaced = 0;
    std::int64_t second_level_hits = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        SCOPED_TRACE("trial " + std::to_string(trial));
        const MemoryHierarchyGeometry geometry = random_geometry(random);
        const AccessPattern pattern = random_pattern(random);
        const HierarchyMisses misses = misses_from_stack_distances(geometry, pattern);
        const Replayed replayed = replay(geometry, pattern);
        ASSERT_EQ(misses.levels.size(), replayed.levels.size());
        for (std::size_t level = 0; level < misses.levels.size(); ++level) {
            ASSERT_EQ(counts_of(misses.levels[level]), replayed.levels[level]) << "level " << level;
            for (const RepetitionMisses& repetition : misses.levels[level]) {
                replaced += repetition.misses - repetition.cold_misses;
                second_level_hits += level == 1 ? repetition.references - repetition.misses : 0;
            }
        }
        ASSERT_EQ(counts_of(misses.tlb), replayed.tlb);
    }
    // The random trials covered replacement and hits in the second level.
    EXPECT_GT(replaced, 100000);
    EXPECT_GT(second_level_hits, 10000);
}

// Both machines of section 6, with data sizes near their cache sizes.
TEST(HierarchyMisses, EqualThoseOfThePapersMachinesWhenTheyReplace) {
    for (const auto& geometry : {pentium3_hierarchy(), r10000_hierarchy()}) {
        for (const std::int64_t stride : {4, 12, 32, 1024, 4096}) {
            for (const auto kind : {TransferKind::kCopy, TransferKind::kUnpack}) {
                const AccessPattern pattern{kind, 4, stride, 5000, 3, 0, std::int64_t{1} << 25};
                const HierarchyMisses misses = misses_from_stack_distances(geometry, pattern);
                const Replayed replayed = replay(geometry, pattern);
                EXPECT_EQ(counts_of(misses.levels[0]), replayed.levels[0]) << stride;
                EXPECT_EQ(counts_of(misses.levels[1]), replayed.levels[1]) << stride;
                EXPECT_EQ(counts_of(misses.tlb), replayed.tlb) << stride;
            }
        }
    }
}

TEST(HierarchyMisses, RepeatFromTheRepetitionBehindTheLastLevel) {
    std::mt19937_64 random(8);
    bool second_repetition_differs = false;
    for (int trial = 0; trial < 2000; ++trial) {
        const MemoryHierarchyGeometry geometry = random_geometry(random);
        AccessPattern pattern = random_pattern(random);
        pattern.repetitions = 7;
        for (const auto& level : misses_from_stack_distances(geometry, pattern).levels) {
            for (std::size_t i = geometry.levels.size() + 1; i < level.size(); ++i) {
                ASSERT_EQ(level[i].misses, level[geometry.levels.size()].misses)
                    << "trial " << trial;
            }
            second_repetition_differs |= level[1].misses != level[2].misses;
        }
    }
    // Shows that the default of three repetitions is needed.
    EXPECT_TRUE(second_repetition_differs);
}

TEST(HierarchyMisses, AreAllColdInTheFirstRepetitionOfWhatFits) {
    // Data of 4 kB: 128 lines.
    const AccessPattern pattern{TransferKind::kRead, 4, 4, 1024, 2, 0, 0};
    const HierarchyMisses misses = misses_from_stack_distances(pentium3_hierarchy(), pattern);
    EXPECT_EQ(misses.levels[0][0].references, 1024);
    EXPECT_EQ(misses.levels[0][0].misses, 128);
    EXPECT_EQ(misses.levels[0][0].cold_misses, 128);
    EXPECT_EQ(misses.levels[1][0].references, 128);
    EXPECT_EQ(misses.levels[1][0].cold_misses, 128);
    EXPECT_EQ(misses.tlb[0].misses, 1);
    EXPECT_EQ(misses.levels[0][1].misses, 0);
    EXPECT_EQ(misses.levels[1][1].references, 0);
    EXPECT_EQ(misses.tlb[1].misses, 0);
}

TEST(HierarchyMisses, StrideOfASetMapsEverythingIntoOneSet) {
    // 8 lines, each a whole first-level way (4 kB) from the next, share a set of 4 ways. If only 4
    // such lines are used, they do not replace each other.
    AccessPattern pattern{TransferKind::kRead, 4, 4096, 8, 2, 0, 0};
    EXPECT_EQ(misses_from_stack_distances(pentium3_hierarchy(), pattern).levels[0][1].misses, 8);
    pattern.elements = 4;
    EXPECT_EQ(misses_from_stack_distances(pentium3_hierarchy(), pattern).levels[0][1].misses, 0);
}

TEST(HierarchyMisses, ReachOfTheTlbIsItsEntries) {
    AccessPattern pattern{TransferKind::kRead, 4, 4096, 64, 2, 0, 0};
    for (const auto& geometry : {pentium3_hierarchy(), r10000_hierarchy()}) {
        pattern.elements = 64;
        EXPECT_EQ(misses_from_stack_distances(geometry, pattern).tlb[1].misses, 0);
        // The data have one page more than the TLB has entries. A fully associative TLB misses all
        // pages, a TLB of 16 sets of 4 ways only those of one set.
        pattern.elements = 65;
        EXPECT_EQ(misses_from_stack_distances(geometry, pattern).tlb[1].misses,
                  geometry.tlb.ways == kFullyAssociative ? 65 : 5);
    }
}

TEST(HierarchyMisses, CountAnElementAcrossTwoLinesAsTwoReferences) {
    const AccessPattern pattern{TransferKind::kRead, 8, 64, 10, 1, 28, 0};
    const HierarchyMisses misses = misses_from_stack_distances(pentium3_hierarchy(), pattern);
    EXPECT_EQ(misses.levels[0][0].references, 20);
    EXPECT_EQ(misses.levels[0][0].misses, 20);
}

std::string geometry_refusal(const MemoryHierarchyGeometry& geometry,
                             const AccessPattern& pattern) {
    try {
        (void)misses_from_stack_distances(geometry, pattern);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "taken";
}

TEST(HierarchyMisses, RefuseWhatIsNoPattern) {
    const AccessPattern good{TransferKind::kCopy, 4, 32, 100, 2, 0, 1 << 20};
    const auto with = [&](auto change) {
        AccessPattern pattern = good;
        change(pattern);
        return geometry_refusal(pentium3_hierarchy(), pattern);
    };
    EXPECT_EQ(geometry_refusal(pentium3_hierarchy(), good), "taken");
    EXPECT_EQ(with([](auto& p) { p.element_bytes = 0; }),
              "element_bytes (w_m) is 0; accepted: 1 to 1e+15 bytes");
    EXPECT_EQ(with([](auto& p) { p.stride_bytes = 3; }),
              "stride_bytes (d) is 3; accepted: 4 to 1e+15 bytes, at least one element");
    EXPECT_THAT(with([](auto& p) { p.elements = 0; }), Names("elements", "0"));
    EXPECT_THAT(with([](auto& p) { p.repetitions = 0; }), Names("repetitions", "0"));
    EXPECT_THAT(with([](auto& p) { p.source_address = -1; }), HasSubstr("source_address is -1"));
    EXPECT_THAT(with([](auto& p) { p.destination_address = -4; }),
                HasSubstr("destination_address is -4"));
    EXPECT_THAT(with([](auto& p) { p.stride_bytes = std::int64_t{1} << 49; }),
                HasSubstr("the array would end at byte"));
    EXPECT_EQ(with([](auto& p) { p.elements = 3'000'000; }),
              "elements is 3000000, with up to 1.2e+07 line references in all repetitions; "
              "accepted: up to 8388608 line references");
}

TEST(HierarchyMisses, RefuseWhatIsNoHierarchy) {
    const AccessPattern pattern{TransferKind::kCopy, 4, 32, 100, 2, 0, 1 << 20};
    const auto with = [&](auto change) {
        MemoryHierarchyGeometry geometry = pentium3_hierarchy();
        change(geometry);
        return geometry_refusal(geometry, pattern);
    };
    EXPECT_THAT(with([](auto& g) { g.levels.clear(); }), Names("level_bytes", "empty"));
    EXPECT_EQ(with([](auto& g) { g.levels[1].line_bytes = 48; }),
              "level_line_bytes of level 2 is 48; accepted: a power of two of bytes");
    EXPECT_EQ(with([](auto& g) { g.levels[1].line_bytes = 16; }),
              "level_line_bytes of level 2 is 16; accepted: the line of the level before it, 32 "
              "bytes, or more");
    EXPECT_EQ(with([](auto& g) { g.levels[0].bytes = 1000; }),
              "level_bytes of level 1 is 1000; accepted: a multiple of the line's 32 bytes, up to "
              "1e+15");
    EXPECT_EQ(with([](auto& g) { g.levels[0].ways = 3; }),
              "level_ways of level 1 is 3; accepted: 0 (fully associative) or a divisor of the 512 "
              "lines");
    EXPECT_THAT(with([](auto& g) { g.levels[0].miss_cycles = kNotGiven; }),
                Names("level_miss_cycles", "1", "given"));
    EXPECT_THAT(with([](auto& g) { g.tlb.entries = -5; }), HasSubstr("tlb_entries is -5"));
    EXPECT_THAT(with([](auto& g) { g.tlb.ways = 5; }), HasSubstr("tlb_ways is 5"));
    EXPECT_EQ(with([](auto& g) { g.tlb.page_bytes = 16; }),
              "page_bytes is 16; accepted: the first level's line of 32 bytes, or more");
    EXPECT_THAT(with([](auto& g) { g.tlb.page_bytes = 0; }), HasSubstr("a power of two"));
    EXPECT_THAT(with([](auto& g) { g.tlb.walk_cycles = -1.0; }),
                HasSubstr("tlb_walk_cycles is -1"));
    EXPECT_EQ(with([](auto& g) { g.tlb = {}; }), "taken");
}

}  // namespace
}  // namespace weir::experiments::models
