#include "hw/declaration.h"

#include <gtest/gtest.h>

namespace weir::hw {
namespace {

TEST(UnitOfNameTest, TheLastWordOfTheNameSaysIt) {
    EXPECT_EQ(unit_of_name("hop_cycles"), "cycles");
    EXPECT_EQ(unit_of_name("begin_cycle"), "cycles");
    EXPECT_EQ(unit_of_name("bytes"), "bytes");
    EXPECT_EQ(unit_of_name("input_queue_bytes"), "bytes");
    EXPECT_EQ(unit_of_name("processor_mhz"), "MHz");
    EXPECT_EQ(unit_of_name("compute_percent"), "%");
    EXPECT_EQ(unit_of_name("contention_per_hop_cycles"), "cycles");
}

TEST(UnitOfNameTest, ARateHasTwo) {
    EXPECT_EQ(unit_of_name("dma_cycles_per_byte"), "cycles per byte");
    EXPECT_EQ(unit_of_name("best_requests_per_cycle"), "requests per cycle");
    EXPECT_EQ(unit_of_name("messages_per_cycle_per_node"), "messages per cycle per node");
    EXPECT_EQ(unit_of_name("pack_cycles_per_value"), "cycles per value");
}

TEST(UnitOfNameTest, CountsAndNamesHaveNone) {
    EXPECT_EQ(unit_of_name("nodes"), "");
    EXPECT_EQ(unit_of_name("rows_per_node"), "");
    EXPECT_EQ(unit_of_name("cycles_order"), "");
    EXPECT_EQ(unit_of_name("megabytes"), "");
    EXPECT_EQ(unit_of_name(""), "");
}

}  // namespace
}  // namespace weir::hw
