#include "network/router/output_queued_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/router/virtual_channel_router.h"
#include "network/testing/fabric_ends.h"
#include "network/topology/butterfly.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FabricArrival;
using testing::FabricBench;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

class OutputQueuedRouterTest : public testing::RouterRowTest {
  public:
    OutputQueuedRouterTest() { design.router_kind = &output_queued_router_kind(); }

    /// Cycle in which a header arrives at node 1 that was sent behind a message to node 2, which
    /// waits for another message's tail.
    std::int64_t header_behind_what_waits() {
        design.buffer = Flits(8);
        row();
        bench->send(1, 2, 20, 0);
        bench->send(0, 2, 3, 2);
        bench->send(0, 1, 1, 2);
        bench->run();
        return bench->end(1).arrivals.front().header_cycle;
    }
    /// Throughput of a switch of 8 ports, in packets per port and cycle. Packets have one flit and
    /// are injected as fast as possible.
    double throughput_of_a_switch() {
        constexpr std::int64_t kPackets = 2000;
        const Topology one_switch = butterfly_topology(8, 1);
        const auto to_the_port = destination_tag_routing(one_switch);
        FabricBench ends(domain, *to_the_port, design);
        ends.send_at_random(3, kPackets, 1, 0);
        ends.run();
        std::int64_t last = 0;
        for (std::int32_t node = 0; node < 8; ++node) {
            last = std::max(last, ends.end(node).arrivals.back().tail_cycle);
        }
        return static_cast<double>(kPackets) / static_cast<double>(last);
    }
};

TEST_F(OutputQueuedRouterTest, AllOfARoutersWorkIsDoneInACycleByDefault) {
    EXPECT_THAT(arrivals({{0, 4, 0}, {0, 2, 0}}),
                ElementsAre(FabricArrival{0, 4, 7}, FabricArrival{1, 8, 9}));
}

// The next message's header is routed when the tail in front of it has entered the queue.
TEST_F(OutputQueuedRouterTest, AHeaderPassesRoutingAndAllocationBeforeTheQueue) {
    design.router.routing_cycles = Cycles(1);
    design.router.vc_allocation_cycles = Cycles(1);
    design.switch_allocation_cycles = Cycles(1);
    design.hop_cycles = Cycles(2);
    design.buffer = Flits(8);
    constexpr std::int64_t kHeader = 10 + 1 + 3 * (1 + 1 + 1) + 2 * 2 + 1;
    EXPECT_THAT(arrivals({{0, 4, 10}, {0, 4, 10}}),
                ElementsAre(FabricArrival{0, kHeader, kHeader + 3},
                            FabricArrival{1, kHeader + 6, kHeader + 9}));
}

TEST_F(OutputQueuedRouterTest, MessagesForAnOutputLeaveOneAfterTheOther) {
    EXPECT_THAT(arrivals({{0, 10, 0}, {1, 10, 1}}),
                ElementsAre(FabricArrival{0, 4, 13}, FabricArrival{1, 14, 23}));
}

// Node 1's long message leaves router 1 from cycle 1 to 20. Node 0's short message to node 2 enters
// the same output queue in cycles 4 to 6. The message behind it goes on to node 1 in cycle 7. With
// input buffers alone it would wait for the long message's tail.
TEST_F(OutputQueuedRouterTest, WhatWaitsForAnOutputHoldsUpNothingForAnother) {
    EXPECT_EQ(header_behind_what_waits(), 8);
    EXPECT_THAT(bench->end(2).arrivals,
                ElementsAre(FabricArrival{0, 3, 22}, FabricArrival{1, 23, 25}));
}

TEST_F(OutputQueuedRouterTest, WithInputBuffersAloneItWaits) {
    design.router_kind = &virtual_channel_router_kind();
    EXPECT_GT(header_behind_what_waits(), 22);
}

// A queue of four slots: three for waiting messages, the last one for the message that is leaving.
// Flits without room stay in the input buffers of four slots.
TEST_F(OutputQueuedRouterTest, AQueueEndsSomewhere) {
    row();
    bench->end(2).deaf_until = Cycles(100);
    for (int i = 0; i < 30; ++i) {
        bench->send(1, 2, 1, 0);
    }
    bench->run(90);
    // Flits in three buffers and, between these, in two queues without their last slots.
    EXPECT_EQ(bench->fabric.flits_in_flight(), Flits(4 + 3 + 4 + 3 + 4));
    bench->run();
    EXPECT_EQ(bench->arrived(), 30);
}

TEST_F(OutputQueuedRouterTest, CutThroughIsAsFastAsAWormholeWithNothingInTheWay) {
    design.router.switching = Switching::kVirtualCutThrough;
    EXPECT_THAT(arrivals({{0, 4, 0}}), ElementsAre(FabricArrival{0, 4, 7}));
}

TEST_F(OutputQueuedRouterTest, StoreAndForwardWaitsForTheTailInEachRouter) {
    design.router.switching = Switching::kStoreAndForward;
    EXPECT_THAT(arrivals({{0, 4, 0}}), ElementsAre(FabricArrival{0, 4 + 3 * 3, 4 + 3 * 3 + 3}));
}

// Four links of four cycles each, at one flit every four cycles.
TEST_F(OutputQueuedRouterTest, OnANarrowLinkAFlitTakesItsTime) {
    design.router.flit_cycles = Cycles(4);
    EXPECT_THAT(arrivals({{0, 3, 0}}), ElementsAre(FabricArrival{0, 16, 24}));
}

// Both messages are in router 2 in cycle 3. Node 3's message arrives at the lower port, and is
// younger.
TEST_F(OutputQueuedRouterTest, TheArbitrationSaysWhichOfACycleComesFirst) {
    design.router.arbitration = Arbitration::kFixed;
    EXPECT_THAT(arrivals({{0, 2, 0}, {3, 2, 1}}, {.routers = 4}),
                ElementsAre(FabricArrival{1, 4, 5}, FabricArrival{0, 6, 7}));
}

// Both senders always request the ejection at node 2, whose queue is full. One slot at a time
// becomes free.
TEST_F(OutputQueuedRouterTest, WhoWaitsForAPlaceGetsItInTurn) {
    row({.routers = 5});
    for (int i = 0; i < 60; ++i) {
        bench->send(0, 2, 1, 0);
        bench->send(4, 2, 1, 0);
    }
    bench->run(60);
    EXPECT_GT(bench->end(2).arrivals.size(), 50U);
    std::map<std::string, std::int64_t> taken;
    for (const Fabric::Link& link : bench->fabric.links()) {
        taken[mesh->channel_name(link.channel)] = link.vcs.front()->taken().count();
    }
    EXPECT_NEAR(taken.at("(1) +x"), taken.at("(3) -x"), 4);
}

TEST_F(OutputQueuedRouterTest, TheOldestMayComeFirst) {
    design.router.arbitration = Arbitration::kOldest;
    EXPECT_THAT(arrivals({{0, 2, 0}, {3, 2, 1}}, {.routers = 4}),
                ElementsAre(FabricArrival{0, 4, 5}, FabricArrival{1, 6, 7}));
}

// Flits on the link to router 2 and in the buffer at its end, when node 2 accepts none of three
// packets. The first packet fills the ejection channel's buffer. The second one takes three of the
// four slots before it.
Flits behind_router_1(const FabricBench& bench) {
    const Topology& mesh = bench.fabric.topology();
    for (const Fabric::Link& link : bench.fabric.links()) {
        if (mesh.channel_name(link.channel) == "(1) +x") {
            return link.vcs.front()->held();
        }
    }
    return Flits(-1);
}

TEST_F(OutputQueuedRouterTest, AWormGoesOnIntoWhatRoomThereIs) {
    row();
    bench->end(2).deaf_until = Cycles(100);
    for (const std::int64_t flits : {4, 6, 6}) {
        bench->send(0, 2, flits, 0);
    }
    bench->run(90);
    EXPECT_EQ(behind_router_1(*bench), Flits(4));
}

TEST_F(OutputQueuedRouterTest, CutThroughWaitsForRoomForTheWholeMessage) {
    design.router.switching = Switching::kVirtualCutThrough;
    row();
    bench->end(2).deaf_until = Cycles(100);
    for (int i = 0; i < 5; ++i) {
        bench->send(0, 2, 3, 0);
    }
    bench->run(90);
    // One packet in each buffer and in each queue; the remaining room does not hold a whole packet.
    EXPECT_EQ(behind_router_1(*bench), Flits(3));
    bench->run();
    EXPECT_EQ(bench->arrived(), 5);
}

TEST_F(OutputQueuedRouterTest, SaysWhatAMessageWaitsFor) {
    row();
    bench->end(2).deaf_until = Cycles(100);
    for (int i = 0; i < 30; ++i) {
        bench->send(1, 2, 1, 0);
    }
    bench->run(90);
    hw::WaitReport report;
    bench->fabric.report_waits(report);
    std::vector<std::string> texts;
    for (const hw::Wait& wait : report) {
        texts.push_back(wait.who + " | " + wait.for_whom + " | " + wait.why);
    }
    EXPECT_THAT(
        texts,
        ElementsAre(
            Names("node 1 injection | (1) +x |", "node 2", "(1) +x", "queue", "3", "flits"),
            Names("(1) +x | (2) ejection |", "node 2", "(2) ejection", "queue", "3", "flits")));
}

// --- Laws ---------------------------------------------------------------------------------------

// Flits injected and not ejected, counted at the nodes' channels.
Flits between_the_nodes(const Fabric& fabric) {
    Flits flits;
    for (const Fabric::Link& link : fabric.links()) {
        for (const FlitChannel* vc : link.vcs) {
            flits += fabric.topology().is_injection(link.channel) ? vc->sent() : Flits(0);
            flits -= fabric.topology().is_ejection(link.channel) ? vc->taken() : Flits(0);
        }
    }
    return flits;
}

TEST_F(OutputQueuedRouterTest, FlitsAreConserved) {
    const Topology square = mesh_topology({4, 4});
    const auto x_first = dimension_order_routing(square, {0, 1});
    FabricBench ends(domain, *x_first, design);
    ends.send_at_random(1, 300, 12, 5);
    for (const std::int64_t cycle : {50, 100, 500, 1000}) {
        ends.run(cycle);
        EXPECT_GT(ends.fabric.flits_in_flight(), Flits(0));
        EXPECT_EQ(ends.fabric.flits_in_flight(), between_the_nodes(ends.fabric)) << cycle;
    }
    ends.run();
    EXPECT_EQ(ends.arrived(), ends.sent());
    EXPECT_EQ(ends.flits_missing(), 0);
    EXPECT_EQ(ends.fabric.flits_in_flight(), Flits(0));
}

// Deadlock-free routing delivers all packets under saturation.
TEST_F(OutputQueuedRouterTest, DeliversAllPacketsOfASaturatedTorus) {
    const Topology torus = torus_topology({4, 4});
    const auto around = torus_dimension_order_routing(torus, {0, 1});
    FabricBench ends(domain, *around, design);
    ends.send_at_random(11, 1000, 8, 0);
    ends.run();
    EXPECT_EQ(ends.arrived(), 16 * 1000);
    EXPECT_EQ(ends.flits_missing(), 0);
}

// With Reallocation::kTailCredit a virtual channel is reallocated only when it is empty.
TEST_F(OutputQueuedRouterTest, DeliversAllPacketsByAdaptiveRouting) {
    const Topology torus = torus_topology({4, 4});
    const auto adaptive = minimal_adaptive_routing(
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline}), 3);
    design.router.reallocation = Reallocation::kTailCredit;
    FabricBench ends(domain, *adaptive, design);
    ends.send_at_random(11, 1000, 8, 0);
    ends.run();
    EXPECT_EQ(ends.arrived(), 16 * 1000);
    EXPECT_EQ(ends.flits_missing(), 0);
}

// Flits in the network when node 2 accepts none of twenty messages of two flits from node 1.
// Buffers and queues have four slots each.
class FollowingTest : public OutputQueuedRouterTest {
  public:
    std::int64_t flits_held() {
        row();
        bench->end(2).deaf_until = Cycles(100);
        for (int i = 0; i < 20; ++i) {
            bench->send(1, 2, 2, 0);
        }
        bench->run(90);
        const std::int64_t held = bench->fabric.flits_in_flight().count();
        bench->run();
        EXPECT_EQ(bench->arrived(), 20);
        return held;
    }
};
// Three buffers of four slots. Between them two queues have three slots for messages that are not
// leaving, and so hold half of the second message.
TEST_F(FollowingTest, ByTheTailAMessageFollowsInWhatRoomThereIs) {
    EXPECT_EQ(flits_held(), 3 * 4 + 2 * 3);
}
TEST_F(FollowingTest, AWholeMessageFollowsWhereItHasRoom) {
    design.router.reallocation = Reallocation::kWholeMessage;
    EXPECT_EQ(flits_held(), 3 * 4 + 2 * 2);
}
// One message in each queue and in the buffer after it, and two in the injection channel's buffer,
// which the node fills.
TEST_F(FollowingTest, ByTheTailsCreditNoneFollowsBeforeTheBufferIsEmpty) {
    design.router.reallocation = Reallocation::kTailCredit;
    EXPECT_EQ(flits_held(), 4 + 2 * 2);
}

// An escape channel is used if no other virtual channel is free. For a single message this never
// happens.
TEST_F(OutputQueuedRouterTest, AMessageWithNothingInItsWayTakesNoEscape) {
    const Topology torus = torus_topology({4, 4});
    const auto adaptive = minimal_adaptive_routing(
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline}), 3);
    FabricBench ends(domain, *adaptive, design);
    ends.send(0, 5, 8, 0);
    ends.run();
    EXPECT_EQ(ends.arrived(), 1);
    std::vector<std::int64_t> sent(3);
    for (const Fabric::Link& link : ends.fabric.links()) {
        for (std::size_t vc = 0; torus.is_hop(link.channel) && vc < 3; ++vc) {
            sent[vc] += link.vcs[vc]->sent().count();
        }
    }
    EXPECT_THAT(sent, ElementsAre(0, 0, 2 * 8)) << "two hops";
}

// Input queues reach 0.618 of a switch's capacity (Karol, Hluchyj and Morgan 1987, Table I). The
// result differs a little, since no packet here is for the port that it came from. Output queues
// reach the whole capacity, except at the end, when only the port with the most packets is busy.
TEST_F(OutputQueuedRouterTest, PassesOnWhatInputQueuesCannot) {
    design.buffer = Flits(64);
    EXPECT_GT(throughput_of_a_switch(), 0.9);
}

TEST_F(OutputQueuedRouterTest, InputQueuesSaturateAsPublished) {
    design.router_kind = &virtual_channel_router_kind();
    EXPECT_NEAR(throughput_of_a_switch(), 0.618, 0.04);
}

TEST(OutputQueuedRouterOrderTest, NoResultDependsOnTheTickOrderNorOnSleeping) {
    const auto results = hw::testing::results_in_every_order([](hw::ClockDomain& domain) {
        const Topology square = mesh_topology({4, 4});
        const auto x_first = dimension_order_routing(square, {0, 1});
        Fabric::Design design;
        design.router_kind = &output_queued_router_kind();
        FabricBench bench(domain, *x_first, design);
        bench.send_at_random(1, 100, 12, 15);
        bench.run(100'000);
        return bench.text();
    });
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_THAT(results.front(), Not(HasSubstr("failed")));
}

TEST(OutputQueuedRouterKindTest, CanBeNamed) {
    NetworkParameters parameters;
    EXPECT_TRUE(parameters.is_plain_mesh());
    EXPECT_TRUE(parameters.router.set(std::string("output_queued")));
    EXPECT_FALSE(parameters.is_plain_mesh());
    EXPECT_THAT(parameters.router.accepted(), HasSubstr("\"virtual_channel\", \"output_queued\""));
    EXPECT_THAT(parameters.router.sentence(), HasSubstr("output_queued: a crossbar"));
}

}  // namespace
}  // namespace weir::network
