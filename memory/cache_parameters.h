#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"
#include "memory/replacement/replacement_kind.h"

namespace weir::memory {

enum class WritePolicy : std::uint8_t { kWriteBack, kWriteThrough };

/// A level of cache: table [l1], [l2], [l3] or [l4] of the experiment file.
struct CacheLevelParameters : hw::ParameterGroup {
    /// Position and defaults of a level.
    struct Defaults {
        int level = 1;  ///< number of the level; 1 is next to the core
        bool of_instructions = false;
        std::int64_t bytes = 1 << 16;
        std::int64_t ways = 1;
        std::int64_t access_cycles = 0;
        const char* source = "assumed";
    };
    CacheLevelParameters(const char* table, const char* title, const Defaults& defaults);
    ~CacheLevelParameters() override;

    hw::Parameter<hw::Bytes> bytes;
    hw::Parameter<hw::Bytes> line_bytes{
        *this, "line_bytes", 16, {8, 4096}, "Size of a cache line", "Alewife: 16-byte lines"};
    hw::Parameter<std::int64_t> ways;
    hw::Choice<const ReplacementKind*> replacement{
        *this,
        "replacement",
        &replacement_kinds().front(),
        replacement_options(),
        replacement_sentence(),
        hw::Condition::that(table() + ".ways other than 1",
                            [this] { return lines_in_a_set() > 1; })};
    hw::Choice<WritePolicy> write_policy{
        *this,
        "write_policy",
        WritePolicy::kWriteBack,
        {{WritePolicy::kWriteBack, "write_back"}, {WritePolicy::kWriteThrough, "write_through"}},
        "Write policy. write_back: a store makes its line dirty. write_through: a store goes on to "
        "the next level at once",
        "Alewife: write-back",
        takes_stores()};
    hw::Parameter<bool> write_allocate{*this,
                                       "write_allocate",
                                       true,
                                       {},
                                       "Whether a store that misses fetches its line. If false, "
                                       "the store goes on to the next level",
                                       is_first_of_data()};
    hw::Parameter<bool> store_misses_wait{
        *this,
        "store_misses_wait",
        true,
        {},
        "Whether a store that misses blocks the core until its line arrives. If false, the store "
        "waits in its miss register",
        is_first_of_data()};
    hw::Parameter<hw::Cycles> access_cycles;
    hw::Parameter<hw::Cycles> busy_cycles{*this,
                                          "busy_cycles",
                                          1,
                                          {1, 100'000},
                                          "Smallest time between two requests of the previous "
                                          "level. The first level takes a request in every cycle",
                                          "assumed: pipelined",
                                          is_behind_the_first()};
    hw::Parameter<hw::Cycles> miss_cycles{
        *this,
        "miss_cycles",
        4,
        {0, 100'000},
        "Time from a miss to the request to the next level",
        "calibrated for [l1]: with the memory port's request and two beats, a miss takes a load 11 "
        "cycles and a store 12, as on Alewife"};
    hw::Parameter<std::int64_t> miss_registers{
        *this,
        "miss_registers",
        4,
        {1, 64},
        "Number of miss registers: largest number of lines in flight to this level. Another miss "
        "to such a line waits for the line",
        "assumed"};
    hw::Parameter<std::int64_t> write_buffer_entries{
        *this,
        "write_buffer_entries",
        2,
        {1, 64},
        "Number of entries of the write buffer. Each holds a line written back, or a store written "
        "through, until the next level takes it",
        "assumed",
        takes_stores()};
    hw::Parameter<bool> prefetch_next_line{
        *this,
        "prefetch_next_line",
        false,
        {},
        "Whether a miss, and the first hit on a prefetched line, prefetch the next line"};
    hw::Parameter<bool> inclusive{
        *this,
        "inclusive",
        false,
        {},
        "Whether a line that leaves this level also leaves the inner levels (inclusion)",
        is_behind_the_first()};

    [[nodiscard]] std::int64_t lines() const {
        return bytes.value().count() / line_bytes.value().count();
    }
    [[nodiscard]] std::int64_t lines_in_a_set() const {
        return ways.value() == 0 ? lines() : ways.value();
    }
    [[nodiscard]] std::optional<Fault> check() const override;

  private:
    [[nodiscard]] static std::vector<hw::Choice<const ReplacementKind*>::Option>
    replacement_options();
    [[nodiscard]] static std::string replacement_sentence();
    static hw::Condition is_there(const Defaults& defaults) {
        const hw::Condition has_level = hw::when("memory.caches").at_least(defaults.level);
        return defaults.of_instructions ? has_level && hw::when("memory.instruction_cache").is(true)
                                        : has_level;
    }
    [[nodiscard]] hw::Condition takes_stores() const {
        return hw::Condition::that("a table other than [l1i]",
                                   [this] { return !is_of_instructions_; });
    }
    [[nodiscard]] hw::Condition is_first_of_data() const {
        return hw::Condition::that("table [l1]",
                                   [this] { return level_ == 1 && !is_of_instructions_; });
    }
    [[nodiscard]] hw::Condition is_behind_the_first() const {
        return hw::Condition::that("a level other than the first", [this] { return level_ > 1; });
    }

    int level_;
    bool is_of_instructions_;
};

/// Address translation: [tlb]. Virtual addresses equal physical ones; only the cycles of misses are
/// emulated.
struct TlbParameters : hw::ParameterGroup {
    TlbParameters();
    ~TlbParameters() override;

    hw::Parameter<std::int64_t> entries{
        *this,
        "entries",
        0,
        {0, 1 << 16},
        "Number of entries of the TLB, each for one page. 0: addresses are not translated",
        "Alewife: none"};
    hw::Parameter<std::int64_t> ways{
        *this,
        "ways",
        0,
        {0, 1 << 16},
        "Number of entries in a set of the TLB (associativity); 0: fully associative",
        hw::when("tlb.entries").at_least(1)};
    hw::Parameter<hw::Bytes> page_bytes{*this,
                                        "page_bytes",
                                        4096,
                                        {64, 1 << 30},
                                        "Size of a page",
                                        "Memory logP Section 6: 4096 on both machines",
                                        hw::when("tlb.entries").at_least(1)};
    hw::Parameter<hw::Cycles> walk_cycles{
        *this,
        "walk_cycles",
        30,
        {0, 100'000},
        "Time of a page-table walk, added to an access whose page is not in the TLB",
        "assumed",
        hw::when("tlb.entries").at_least(1)};

    [[nodiscard]] std::int64_t entries_in_a_set() const {
        return ways.value() == 0 ? entries.value() : ways.value();
    }
    [[nodiscard]] std::optional<Fault> check() const override;
};

/// Caches and TLB between a core and its memory port.
struct CacheParameters {
    static constexpr std::size_t kMostLevels = 4;

    TlbParameters tlb;
    std::array<CacheLevelParameters, kMostLevels> levels{
        CacheLevelParameters{
            "l1", "The first level of cache", {.source = "Alewife: 64 kB, direct-mapped"}},
        CacheLevelParameters{"l2",
                             "The second level of cache",
                             {.level = 2, .bytes = 1 << 18, .ways = 8, .access_cycles = 7}},
        CacheLevelParameters{"l3",
                             "The third level of cache",
                             {.level = 3, .bytes = 1 << 22, .ways = 8, .access_cycles = 20}},
        CacheLevelParameters{"l4",
                             "The fourth level of cache",
                             {.level = 4, .bytes = 1 << 24, .ways = 8, .access_cycles = 40}}};

    CacheLevelParameters instructions{"l1i",
                                      "The first level of cache for instructions",
                                      {.of_instructions = true, .source = "assumed"}};

    using Fault = hw::Fault;
    /// Checks the first `count` levels, and the instruction cache if there is one, against each
    /// other.
    [[nodiscard]] std::optional<Fault> check(std::size_t count,
                                             bool has_instructions = false) const;

  private:
    [[nodiscard]] static std::optional<Fault> check(const CacheLevelParameters& inner,
                                                    const CacheLevelParameters& outer);
};

}  // namespace weir::memory
