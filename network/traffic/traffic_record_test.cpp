#include "network/traffic/traffic_record.h"

#include <gtest/gtest.h>

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;

// 1024 cycles in slices of two. Packets count in the slice of their generation.
TEST(TrafficRecordTest, SlicesCountTheTaggedPacketsGeneratedInThem) {
    TrafficRecord record(Cycles(100), Cycles(1124));
    ASSERT_EQ(record.slice_cycles(), Cycles(2));
    for (const std::int64_t generated : {100, 101, 104}) {
        record.generated(Flits(4), Cycles(generated));
        Packet packet;
        packet.generated = Cycles(generated);
        packet.injected = Cycles(generated + 1);
        packet.is_tagged = true;
        record.arrived(packet, 1, Cycles(generated + 10));
    }
    ASSERT_EQ(record.latency_slices().size(), 512U);
    EXPECT_EQ(record.latency_slices()[0].packets, 2);
    EXPECT_EQ(record.latency_slices()[0].cycles, 20);
    EXPECT_EQ(record.latency_slices()[1].packets, 0);
    EXPECT_EQ(record.latency_slices()[2].packets, 1);
    EXPECT_EQ(record.latency_slices()[2].cycles, 10);
}

}  // namespace
}  // namespace weir::network
