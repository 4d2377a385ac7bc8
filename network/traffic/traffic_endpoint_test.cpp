#include "network/traffic/traffic_endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "hw/testing/names.h"
#include "network/testing/flit_ends.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using hw::NodeId;
using testing::cycles_of;
using ::testing::ElementsAre;
using testing::FlitPassage;
using testing::FlitSink;
using testing::FlitSource;
using weir::testing::Names;

// An endpoint, node 0, between ideal ends of its virtual channels, whose links take one cycle.
struct EndpointBench {
    EndpointBench(int vcs, std::vector<GeneratedPacket> packets, std::int64_t buffer_flits = 4,
                  std::int64_t flit_cycles = 1, bool interleave = true,
                  bool await_tail_credit = false) {
        TrafficEndpoint::VirtualChannels ends{{}, {}, Cycles(flit_cycles), interleave};
        ends.await_tail_credit = await_tail_credit;
        for (int vc = 0; vc < vcs; ++vc) {
            const std::string number = std::to_string(vc);
            ends.injection.push_back(
                &channels.emplace_back("injection " + number, Cycles(1), Flits(buffer_flits)));
            ends.ejection.push_back(
                &channels.emplace_back("ejection " + number, Cycles(1), Flits(4)));
        }
        endpoint = std::make_unique<TrafficEndpoint>(
            "endpoint", domain, NodeId(0), ends,
            std::make_unique<RecordedPacketSource>(std::move(packets)), table, record);
        for (std::size_t vc = 0; vc < ends.injection.size(); ++vc) {
            sinks.emplace_back(domain, *ends.injection[vc]);
            ends.injection[vc]->connect(*endpoint, sinks.back());
            sources.emplace_back(domain, *ends.ejection[vc]);
            ends.ejection[vc]->connect(sources.back(), *endpoint);
        }
    }
    /// A packet for the endpoint, sent by the ideal source of a virtual channel.
    hw::MessageSlot arrive(std::size_t vc, int flits, std::int64_t cycle,
                           std::int32_t destination = 0) {
        const hw::MessageSlot slot = table.add({.source = 9,
                                                .destination = destination,
                                                .flits = Flits(flits),
                                                .generated = Cycles(cycle - 10),
                                                .injected = Cycles(cycle - 5),
                                                .is_tagged = true});
        record.generated(Flits(flits), Cycles(0));
        sources[vc].worm(slot, 0, flits, cycle);
        return slot;
    }
    void run(std::int64_t until = 10'000) { domain.run_until(Cycles(until)); }

    hw::ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
    std::deque<FlitChannel> channels;
    PacketTable table;
    TrafficRecord record{Cycles(0), Cycles(100'000)};
    std::unique_ptr<TrafficEndpoint> endpoint;
    std::deque<FlitSink> sinks;
    std::deque<FlitSource> sources;
};

GeneratedPacket packet_at(std::int64_t cycle, std::int64_t flits) {
    return {Cycles(cycle), 3, Flits(flits)};
}

TEST(TrafficEndpointTest, APacketLeavesFromTheCycleItIsGeneratedIn) {
    EndpointBench bench(1, {packet_at(5, 3)});
    bench.run();
    EXPECT_THAT(bench.sinks[0].taken,
                ElementsAre(FlitPassage{6, 0, true, false}, FlitPassage{7, 0, false, false},
                            FlitPassage{8, 0, false, true}));
    EXPECT_EQ(bench.table[0].generated, Cycles(5));
    EXPECT_EQ(bench.table[0].injected, Cycles(5));
    EXPECT_EQ(bench.table[0].destination, 3);
    EXPECT_TRUE(bench.table[0].is_tagged);
    EXPECT_EQ(bench.record.sent(), Flits(3));
}

// Each packet waits for those before it. A packet's latency counts from its generation, however
// long it waits.
TEST(TrafficEndpointTest, TheQueueHasNoLimitAndKeepsTheOrder) {
    std::vector<GeneratedPacket> packets;
    for (int i = 0; i < 1'000; ++i) {
        packets.push_back(packet_at(i / 2, 4));
    }
    EndpointBench bench(1, packets);
    bench.run();
    ASSERT_EQ(bench.sinks[0].taken.size(), 4'000U);
    EXPECT_EQ(bench.sinks[0].taken.back().cycle, 4'000);
    EXPECT_EQ(bench.table[999].generated, Cycles(499));
    EXPECT_EQ(bench.table[999].injected, Cycles(4 * 999));
    EXPECT_EQ(bench.endpoint->queued(), 0U);
}

TEST(TrafficEndpointTest, ASingleFlitIsHeaderAndTail) {
    EndpointBench bench(1, {packet_at(0, 1), packet_at(0, 1)});
    bench.run();
    EXPECT_THAT(bench.sinks[0].taken,
                ElementsAre(FlitPassage{1, 0, true, true}, FlitPassage{2, 1, true, true}));
}

// A packet that can go on is not interrupted; the next packet takes the next virtual channel.
TEST(TrafficEndpointTest, PacketsTakeVirtualChannelsInTurn) {
    EndpointBench bench(2, {packet_at(0, 2), packet_at(0, 2), packet_at(0, 2)});
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(1, 2, 5, 6));
    EXPECT_THAT(cycles_of(bench.sinks[1].taken), ElementsAre(3, 4));
}

// Virtual channel 0's packet stops after its buffer's 2 flits until a flit is taken in cycle 9.
// Meanwhile virtual channel 1 sends the next packet. The packet that began first goes on as soon as
// it can.
TEST(TrafficEndpointTest, AnotherVirtualChannelGoesOnWhereOneIsHeldUp) {
    EndpointBench bench(2, {packet_at(0, 4), packet_at(0, 12)}, 2);
    bench.sinks[0].refuse(0, 9);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(9, 10, 11, 12));
    // Virtual channel 1 sends flits in cycles 2 to 9 and from 12 on; virtual channel 0 sends its
    // last two in 10 and 11.
    EXPECT_THAT(cycles_of(bench.sinks[1].taken),
                ElementsAre(3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16));
}

// Without interleaving no packet is sent while the packet that was begun is blocked.
TEST(TrafficEndpointTest, WithoutInterleavingTheNextWaitsUntilTheOneBeforeHasLeft) {
    EndpointBench bench(2, {packet_at(0, 4), packet_at(0, 3), packet_at(0, 1)}, 2, 1, false);
    bench.sinks[0].refuse(0, 9);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(9, 10, 11, 12, 16));
    EXPECT_THAT(cycles_of(bench.sinks[1].taken), ElementsAre(13, 14, 15));
    EXPECT_LT(bench.domain.ticks(), 60);
}

// The first packet's tail leaves in cycle 2 and is taken in 3, and its credit can be used in 4.
TEST(TrafficEndpointTest, AVirtualChannelCanBeFreeOnlyOnceItsTailsCreditIsBack) {
    EndpointBench bench(1, {packet_at(0, 3), packet_at(0, 3)}, 4, 1, true, true);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(1, 2, 3, 5, 6, 7));
    EXPECT_LT(bench.domain.ticks(), 30);
}

// A virtual channel that has been empty all the time can be used at once.
TEST(TrafficEndpointTest, AnotherVirtualChannelNeedsNoTailsCredit) {
    EndpointBench bench(2, {packet_at(0, 3), packet_at(0, 3)}, 4, 1, true, true);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(1, 2, 3));
    EXPECT_THAT(cycles_of(bench.sinks[1].taken), ElementsAre(4, 5, 6));
}

TEST(TrafficEndpointTest, PacketsAreInterleavedUnlessAFileSaysOtherwise) {
    EXPECT_TRUE(TrafficParameters().interleave_packets.value());
}

TEST(TrafficEndpointTest, ANarrowLinkTakesAFlitEveryFewCycles) {
    EndpointBench bench(1, {packet_at(0, 3), packet_at(1, 1)}, 4, 3);
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(1, 4, 7, 10));
}

TEST(TrafficEndpointTest, TakesAFlitACycleFromItsVirtualChannelsInTurn) {
    EndpointBench bench(2, {});
    bench.arrive(0, 3, 20);  // flits visible from cycles 21, 22 and 23 on
    bench.arrive(1, 3, 20);
    bench.run();
    // Flits are taken in cycles 21 to 26, from virtual channels 0, 1, 0, 1, 0, 1.
    EXPECT_EQ(bench.record.taken(), Flits(6));
    EXPECT_EQ(bench.record.from_generation().least(), 25 - 10);
    EXPECT_EQ(bench.record.from_generation().largest(), 26 - 10);
    EXPECT_EQ(bench.record.from_injection().largest(), 26 - 15);
    EXPECT_TRUE(bench.record.all_tagged_arrived());
    EXPECT_EQ(bench.record.fault(), "");
    EXPECT_EQ(bench.table.in_use(), 0U);
}

TEST(TrafficEndpointTest, SleepsBetweenPackets) {
    EndpointBench bench(1, {packet_at(100, 2), packet_at(9'000, 2)});
    bench.run();
    EXPECT_LT(bench.domain.ticks(), 20);
}

TEST(TrafficEndpointTest, GeneratesAndBeginsNothingOnceClosed) {
    EndpointBench bench(1, {packet_at(0, 4), packet_at(1, 4), packet_at(50, 4)});
    bench.record.close(Cycles(3));
    bench.run();
    EXPECT_THAT(cycles_of(bench.sinks[0].taken), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(bench.record.packets_generated(), 2);
    EXPECT_EQ(bench.endpoint->queued(), 1U);
}

// Planted faults: deliveries that a correct network never makes.
TEST(TrafficEndpointTest, NoticesAPacketThatIsNotForIt) {
    EndpointBench bench(1, {});
    bench.arrive(0, 2, 20, 5);
    bench.run();
    EXPECT_THAT(bench.record.fault(), Names("node 9", "node 5", "next"));
}

TEST(TrafficEndpointTest, NoticesAMissingFlit) {
    EndpointBench bench(1, {});
    const hw::MessageSlot slot = bench.table.add({.flits = Flits(3)});
    bench.sources[0].worm(slot, 0, 2, 20);
    bench.run();
    EXPECT_NE(bench.record.fault(), "");
}

TEST(TrafficEndpointTest, NoticesPacketsMixedOnAVirtualChannel) {
    EndpointBench bench(1, {});
    const hw::MessageSlot first = bench.table.add({.flits = Flits(2)});
    const hw::MessageSlot second = bench.table.add({.flits = Flits(2)});
    bench.sources[0].flit(Flit::header(first, 0, 2), 20);
    bench.sources[0].flit({second, 0, false, true}, 21);
    bench.run();
    EXPECT_NE(bench.record.fault(), "");
}

}  // namespace
}  // namespace weir::network
