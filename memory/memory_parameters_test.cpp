#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/parameter_lines.h"
#include "memory/cache_parameters.h"
#include "memory/coherence/coherence_parameters.h"
#include "memory/node_memory.h"

namespace weir::memory {
namespace {

using hw::testing::parameter_lines;
using ::testing::ElementsAre;

// What each parameter is where nobody says otherwise, and what it can be told. Whoever changes one
// changes what experiments mean that do not name it.
TEST(MemoryParametersTest, NodeMemory) {
    EXPECT_THAT(
        parameter_lines(NodeMemory::Parameters()),
        ElementsAre(
            "bytes = 67108864; a whole number from 4096 to 2147483648",
            "load_cycles = 2; a whole number from 0 to 100000",
            "store_cycles = 3; a whole number from 0 to 100000",
            "double_cycles = 1; a whole number from 0 to 100000",
            "caches = 0; a whole number from 0 to 4",
            "instruction_cache = false; true or false; with core.kind = \"sparcle\" and "
            "memory.caches of 1 or more",
            "dma_stores = invalidate; one of \"invalidate\", \"update\"; with memory.caches of 1 "
            "or more and network.model = \"wormhole\" and a kernel whose messages have bodies"));
}

TEST(MemoryParametersTest, Coherence) {
    EXPECT_THAT(
        parameter_lines(CoherenceParameters()),
        ElementsAre("shared_bytes = 4194304; a whole number from 4096 to 134217728",
                    "home = segment; one of \"segment\", \"line\", \"page\", \"hash\"",
                    "protocol = limitless; one of \"limitless\", \"full_map\", "
                    "\"limited\", \"software\", \"forwarding\"",
                    "pointers = 5; a whole number from 1 to 5; with coherence.protocol "
                    "other than \"full_map\" or \"software\" or \"forwarding\"",
                    "transaction_buffers = 16; a whole number from 1 to 64",
                    "directory_cycles = 2; a whole number from 0 to 10000",
                    "invalidate_cycles = 2; a whole number from 0 to 10000",
                    "cache_cycles = 1; a whole number from 0 to 10000",
                    "busy_cycles = 20; a whole number from 1 to 100000",
                    "busy_spread_cycles = 20; a whole number from 0 to 100000",
                    "thrashlock = true; true or false; with core.contexts of 2 or more",
                    "trap_turns = true; true or false", "fetch_and_op = false; true or false",
                    "starved_after_accesses = 20; a whole number from 0 to 1000000",
                    "check_loads = false; true or false; no result depends on it",
                    "classify_misses = false; true or false; no result depends on it"));
}

TEST(MemoryParametersTest, TranslationLookasideBuffer) {
    EXPECT_THAT(
        parameter_lines(CacheParameters().tlb),
        ElementsAre(
            "entries = 0; a whole number from 0 to 65536",
            "ways = 0; a whole number from 0 to 65536; with tlb.entries of 1 or more",
            "page_bytes = 4096; a whole number from 64 to 1073741824; with tlb.entries of 1 or "
            "more",
            "walk_cycles = 30; a whole number from 0 to 100000; with tlb.entries of 1 or more"));
}

TEST(MemoryParametersTest, FirstLevel) {
    EXPECT_THAT(
        parameter_lines(CacheParameters().levels[0]),
        ElementsAre(
            "bytes = 65536; a whole number from 8 to 1073741824",
            "line_bytes = 16; a whole number from 8 to 4096",
            "ways = 1; a whole number from 0 to 65536",
            "replacement = lru; one of \"lru\", \"pseudo_lru\", \"random\", \"fifo\", \"srrip\"; "
            "with l1.ways other than 1",
            "write_policy = write_back; one of \"write_back\", \"write_through\"; with another "
            "level than [l1i]",
            "write_allocate = true; true or false; with [l1]",
            "store_misses_wait = true; true or false; with [l1]",
            "access_cycles = 0; a whole number from 0 to 100000; with another level than the first",
            "busy_cycles = 1; a whole number from 1 to 100000; with another level than the first",
            "miss_cycles = 4; a whole number from 0 to 100000",
            "miss_registers = 4; a whole number from 1 to 64",
            "write_buffer_entries = 2; a whole number from 1 to 64; with another level than [l1i]",
            "prefetch_next_line = false; true or false",
            "inclusive = false; true or false; with another level than the first"));
}

TEST(MemoryParametersTest, SecondLevel) {
    EXPECT_THAT(
        parameter_lines(CacheParameters().levels[1]),
        ElementsAre(
            "bytes = 262144; a whole number from 8 to 1073741824",
            "line_bytes = 16; a whole number from 8 to 4096",
            "ways = 8; a whole number from 0 to 65536",
            "replacement = lru; one of \"lru\", \"pseudo_lru\", \"random\", \"fifo\", \"srrip\"; "
            "with l2.ways other than 1",
            "write_policy = write_back; one of \"write_back\", \"write_through\"; with another "
            "level than [l1i]",
            "write_allocate = true; true or false; with [l1]",
            "store_misses_wait = true; true or false; with [l1]",
            "access_cycles = 7; a whole number from 0 to 100000; with another level than the first",
            "busy_cycles = 1; a whole number from 1 to 100000; with another level than the first",
            "miss_cycles = 4; a whole number from 0 to 100000",
            "miss_registers = 4; a whole number from 1 to 64",
            "write_buffer_entries = 2; a whole number from 1 to 64; with another level than [l1i]",
            "prefetch_next_line = false; true or false",
            "inclusive = false; true or false; with another level than the first"));
}

TEST(MemoryParametersTest, ThirdLevel) {
    EXPECT_THAT(parameter_lines(CacheParameters().levels[2]),
                ::testing::IsSupersetOf({"bytes = 4194304; a whole number from 8 to 1073741824",
                                         "ways = 8; a whole number from 0 to 65536",
                                         "access_cycles = 20; a whole number from 0 to 100000; "
                                         "with another level than the first"}));
}

TEST(MemoryParametersTest, FourthLevel) {
    EXPECT_THAT(parameter_lines(CacheParameters().levels[3]),
                ::testing::IsSupersetOf({"bytes = 16777216; a whole number from 8 to 1073741824",
                                         "ways = 8; a whole number from 0 to 65536",
                                         "access_cycles = 40; a whole number from 0 to 100000; "
                                         "with another level than the first"}));
}

TEST(MemoryParametersTest, Instructions) {
    EXPECT_THAT(
        parameter_lines(CacheParameters().instructions),
        ElementsAre(
            "bytes = 65536; a whole number from 8 to 1073741824",
            "line_bytes = 16; a whole number from 8 to 4096",
            "ways = 1; a whole number from 0 to 65536",
            "replacement = lru; one of \"lru\", \"pseudo_lru\", \"random\", \"fifo\", \"srrip\"; "
            "with l1i.ways other than 1",
            "write_policy = write_back; one of \"write_back\", \"write_through\"; with another "
            "level than [l1i]",
            "write_allocate = true; true or false; with [l1]",
            "store_misses_wait = true; true or false; with [l1]",
            "access_cycles = 0; a whole number from 0 to 100000; with another level than the first",
            "busy_cycles = 1; a whole number from 1 to 100000; with another level than the first",
            "miss_cycles = 4; a whole number from 0 to 100000",
            "miss_registers = 4; a whole number from 1 to 64",
            "write_buffer_entries = 2; a whole number from 1 to 64; with another level than [l1i]",
            "prefetch_next_line = false; true or false",
            "inclusive = false; true or false; with another level than the first"));
}

}  // namespace
}  // namespace weir::memory
