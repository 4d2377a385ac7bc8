#include "experiments/models/memory_logp/transfer_timing.h"

#include <gtest/gtest.h>

#include "experiments/models/memory_logp/hierarchy_misses.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// Two lines of 16 bytes, one way, then memory: a line takes 1 + 5 + 2 * 2 = 10 cycles.
MemoryHierarchyGeometry one_level() { return {{{32, 16, 1, 0.0}}, {}}; }
TransferTimingInputs one_level_inputs() {
    return {.load_cycles = 1,
            .store_cycles = 1,
            .loop_cycles = 2,
            .levels = {{.miss_cycles = 3, .write_buffer_entries = 1}},
            .port_access_cycles = 5,
            .port_beat_bytes = 8,
            .port_beat_cycles = 2};
}

TEST(TransferTiming, HitsTakeTheirOwnCyclesAlone) {
    const AccessPattern pattern{TransferKind::kCopy, 8, 8, 2, 3, 0, 16};
    const TransferTiming timing = transfer_timing(one_level(), one_level_inputs(), pattern);
    EXPECT_EQ(timing.repetition_cycles, (std::vector<double>{2 * 4 + 2 * (3 + 10), 8, 8}));
    EXPECT_EQ(timing.misses, std::vector<std::int64_t>{0});
    EXPECT_EQ(timing.write_backs, std::vector<std::int64_t>{0});
}

// Reads cause no write-backs, so each miss costs its T.
TEST(TransferTiming, ReadsPayTheSum) {
    const AccessPattern pattern{TransferKind::kRead, 8, 16, 4, 2, 0, 0};
    const TransferTiming timing = transfer_timing(one_level(), one_level_inputs(), pattern);
    EXPECT_EQ(timing.repetition_cycles.back(), 4 * (1 + 2 + 3 + 10));
    EXPECT_EQ(with_unloaded_costs(one_level(), one_level_inputs()).levels.front().miss_cycles,
              3 + 10);
}

// Source and destination of an element share a set. Times of an element in the steady state, by
// hand:
//  - The load misses at 0 and sends the dirty line to the buffer. The buffer requests the port at
//    once, before the miss requests it at 3. The line is written from 1 to 10, and fetched from 10
//    to 19.
//  - The store misses at 20, requests at 23 and has its line from 24 to 33.
// With the store and the loop the element takes 36 cycles; the sum gives 4 + 2 * 13 = 30.
TEST(TransferTiming, AMissWaitsForTheLineThatIsWrittenBack) {
    const AccessPattern pattern{TransferKind::kCopy, 8, 32, 4, 3, 0, 1024};
    const TransferTiming timing = transfer_timing(one_level(), one_level_inputs(), pattern);
    EXPECT_EQ(timing.repetition_cycles.back(), 4 * 36);
    EXPECT_EQ(timing.misses, std::vector<std::int64_t>{8});
    EXPECT_EQ(timing.write_backs, std::vector<std::int64_t>{4});
}

// Without cycles between miss and request, the fetch goes first, from 1 to 10, and the write
// follows from 10 to 19. The store misses at 11 and has its line from 19 to 28; the element takes
// 31.
TEST(TransferTiming, FetchesGoBeforeWrites) {
    TransferTimingInputs inputs = one_level_inputs();
    inputs.levels.front() = {.miss_cycles = 0, .write_buffer_entries = 2};
    const AccessPattern pattern{TransferKind::kCopy, 8, 32, 4, 3, 0, 1024};
    EXPECT_EQ(transfer_timing(one_level(), inputs, pattern).repetition_cycles.back(), 4 * 31);
    inputs.levels.front().write_buffer_entries = 1;  // the buffer is full, so the write goes first
    EXPECT_EQ(transfer_timing(one_level(), inputs, pattern).repetition_cycles.back(), 4 * 33);
}

// A line written back from the first level goes to the second, and leaves that level later.
TEST(TransferTiming, DirtyLinesGoFromLevelToLevel) {
    const MemoryHierarchyGeometry geometry{{{32, 16, 1, 0.0}, {64, 16, 0, 0.0}}, {}};
    TransferTimingInputs inputs = one_level_inputs();
    inputs.levels = {{}, {.access_cycles = 2, .busy_cycles = 1, .write_buffer_entries = 2}};
    // The second level holds all four lines.
    const AccessPattern fits{TransferKind::kCopy, 8, 16, 2, 3, 0, 32};
    TransferTiming timing = transfer_timing(geometry, inputs, fits);
    EXPECT_EQ(timing.misses, (std::vector<std::int64_t>{4, 0}));
    EXPECT_EQ(timing.write_backs, (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ(timing.repetition_cycles.back(), 2 * (4 + 2 + 2));
    // The second level cannot hold six lines. The second element's line leaves the second level
    // before the first level writes it back, which then goes past the second level.
    const AccessPattern too_large{TransferKind::kCopy, 8, 16, 3, 4, 0, 1024};
    timing = transfer_timing(geometry, inputs, too_large);
    EXPECT_EQ(timing.misses, (std::vector<std::int64_t>{6, 6}));
    EXPECT_EQ(timing.write_backs, (std::vector<std::int64_t>{3, 2}));
}

TEST(TransferTiming, CountsTheSameMissesAsTheSum) {
    for (const TransferKind kind :
         {TransferKind::kCopy, TransferKind::kPack, TransferKind::kUnpack}) {
        for (const std::int64_t stride : {8, 32, 136, 512}) {
            const AccessPattern pattern{kind, 8, stride, 3000, 4, 0, 1 << 24};
            const MemoryHierarchyGeometry geometry = pentium3_hierarchy();
            TransferTimingInputs inputs = one_level_inputs();
            inputs.levels = {{}, {.access_cycles = 7}};
            const TransferTiming timing = transfer_timing(geometry, inputs, pattern);
            const HierarchyMisses misses = misses_from_stack_distances(geometry, pattern);
            EXPECT_EQ(timing.misses[0], misses.levels[0].back().misses) << stride;
            EXPECT_EQ(timing.misses[1], misses.levels[1].back().misses) << stride;
            EXPECT_EQ(timing.tlb_misses, misses.tlb.back().misses) << stride;
        }
    }
}

TEST(TransferTiming, RefusesElementsThatStraddleLines) {
    const AccessPattern pattern{TransferKind::kCopy, 8, 12, 4, 1, 0, 1024};
    EXPECT_THROW(static_cast<void>(transfer_timing(one_level(), one_level_inputs(), pattern)),
                 ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
