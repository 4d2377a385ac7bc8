#include "network/router/virtual_channel_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <ostream>
#include <vector>

#include "hw/testing/names.h"
#include "network/testing/fabric_ends.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using ::testing::ElementsAre;
using testing::FabricArrival;
using testing::FabricBench;
using weir::testing::Names;

class VirtualChannelRouterTest : public testing::RouterRowTest {
  public:
    /// Flits on the link from router 1 to router 2 and in the buffer at its end, when node 2
    /// accepts none of three packets. The first packet fills the ejection channel's buffer; the
    /// second takes three of the buffer's four slots.
    Flits held_before_a_deaf_node() {
        row();
        bench->end(2).deaf_until = Cycles(100);
        for (const std::int64_t flits : {4, 3, 3}) {
            bench->send(0, 2, flits, 0);
        }
        bench->run(90);
        return behind_router_1();
    }
    // The link from router 1 to router 2.
    const Fabric::Link& link_of_router_1() {
        const auto& links = bench->fabric.links();
        const auto link = std::find_if(links.begin(), links.end(), [this](const auto& one) {
            return mesh->channel_name(one.channel) == "(1) +x";
        });
        EXPECT_NE(link, links.end());
        return *link;
    }
    // Flits on the link from router 1 to router 2, and in the buffer at its end.
    Flits behind_router_1() { return link_of_router_1().vcs.front()->held(); }
    // Flits sent by each virtual channel of the link from router 1 to router 2.
    std::vector<std::int64_t> sent_by_vcs_of_router_1() {
        std::vector<std::int64_t> flits;
        for (const FlitChannel* vc : link_of_router_1().vcs) {
            flits.push_back(vc->sent().count());
        }
        return flits;
    }
};

TEST_F(VirtualChannelRouterTest, AllOfARoutersWorkIsDoneInACycleByDefault) {
    EXPECT_THAT(arrivals({{0, 4, 0}, {0, 2, 0}}),
                ElementsAre(FabricArrival{0, 4, 7}, FabricArrival{1, 8, 9}));
}

// Each stage takes a cycle, in each of three routers. The next message's header is routed when the
// tail in front of it has won the switch: two more cycles after each tail.
TEST_F(VirtualChannelRouterTest, AHeaderPassesRoutingAndAllocationBeforeTheSwitch) {
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

TEST_F(VirtualChannelRouterTest, OnOneVirtualChannelAMessageHoldsTheLink) {
    EXPECT_THAT(arrivals({{0, 10, 0}, {1, 10, 1}}),
                ElementsAre(FabricArrival{0, 4, 13}, FabricArrival{1, 14, 23}));
}

// Both headers are in router 1 in cycle 2, and request both virtual channels. Both virtual channels
// grant node 0's header. So node 1's header gets a virtual channel, and first passes the switch, in
// cycle 3.
TEST_F(VirtualChannelRouterTest, VirtualChannelsShareTheLinkFlitByFlit) {
    design.ejection_vcs = 2;
    EXPECT_THAT(arrivals({{0, 10, 0}, {1, 10, 1}}, {.virtual_channels = 2}),
                ElementsAre(FabricArrival{0, 4, 22}, FabricArrival{1, 5, 23}));
}

// The link from router 1 sends a flit in each cycle from cycle 2 on, when the first headers are in
// router 1.
TEST_F(VirtualChannelRouterTest, ALinkSendsAFlitACycleHoweverManyAsk) {
    design.buffer = Flits(16);
    design.ejection_vcs = 2;
    row({3, 2});
    bench->send(0, 2, 10, 0);
    bench->send(1, 2, 10, 1);
    for (const std::int64_t cycle : {2, 5, 9, 14}) {
        bench->run(cycle);
        const std::vector<std::int64_t> sent = sent_by_vcs_of_router_1();
        EXPECT_EQ(std::reduce(sent.begin(), sent.end()), cycle - 1) << cycle;
    }
}

// Both worms enter router 1 by the same port, and leave it by the same port.
TEST_F(VirtualChannelRouterTest, WormsOfOneInputTakeTurns) {
    design.buffer = Flits(16);
    design.injection_vcs = 2;
    design.ejection_vcs = 2;
    row({3, 2});
    bench->send(0, 2, 12, 0);
    bench->send(0, 2, 12, 0);
    for (const std::int64_t cycle : {6, 10, 14, 20}) {
        bench->run(cycle);
        const std::vector<std::int64_t> sent = sent_by_vcs_of_router_1();
        EXPECT_EQ(sent[0] + sent[1], cycle - 1) << cycle;
        EXPECT_LE(std::abs(sent[0] - sent[1]), 2) << cycle;
    }
}

TEST_F(VirtualChannelRouterTest, AWormGoesOnIntoWhatRoomThereIs) {
    EXPECT_EQ(held_before_a_deaf_node(), Flits(4));
}

TEST_F(VirtualChannelRouterTest, CutThroughWaitsForRoomForTheWholeMessage) {
    design.router.switching = Switching::kVirtualCutThrough;
    EXPECT_EQ(held_before_a_deaf_node(), Flits(3));
    bench->run();
    EXPECT_EQ(bench->arrived(), 3);
}

TEST_F(VirtualChannelRouterTest, CutThroughIsAsFastAsAWormholeWithNothingInTheWay) {
    design.router.switching = Switching::kVirtualCutThrough;
    EXPECT_THAT(arrivals({{0, 4, 0}}), ElementsAre(FabricArrival{0, 4, 7}));
}

TEST_F(VirtualChannelRouterTest, StoreAndForwardWaitsForTheTailInEachRouter) {
    design.router.switching = Switching::kStoreAndForward;
    EXPECT_THAT(arrivals({{0, 4, 0}}), ElementsAre(FabricArrival{0, 4 + 3 * 3, 4 + 3 * 3 + 3}));
}

// Four links of four cycles each, at one flit every four cycles.
TEST_F(VirtualChannelRouterTest, OnANarrowLinkAFlitTakesItsTime) {
    design.router.flit_cycles = Cycles(4);
    EXPECT_THAT(arrivals({{0, 3, 0}}), ElementsAre(FabricArrival{0, 16, 24}));
}

TEST_F(VirtualChannelRouterTest, ANarrowLinkIsSharedToo) {
    design.router.flit_cycles = Cycles(4);
    design.ejection_vcs = 2;
    const std::vector<FabricArrival>& both =
        arrivals({{0, 5, 0}, {1, 5, 0}}, {.virtual_channels = 2});
    ASSERT_EQ(both.size(), 2U);
    // Ten flits leave router 1, one every four cycles. The first is node 1's, in cycle 4.
    EXPECT_EQ(std::max(both[0].tail_cycle, both[1].tail_cycle), 4 + 9 * 4 + 4 + 4);
}

// Messages of two flits. All credits of a channel are back two cycles after the message's tail was
// sent.
TEST_F(VirtualChannelRouterTest, AWholeBufferIsGivenToAMessageOnceItIsEmpty) {
    design.router.reallocation = Reallocation::kTailCredit;
    EXPECT_THAT(arrivals({{0, 2, 0}, {0, 2, 0}}),
                ElementsAre(FabricArrival{0, 4, 5}, FabricArrival{1, 7, 8}));
}

// Buffers have four slots: two remain behind a message of two flits.
TEST_F(VirtualChannelRouterTest, ABufferWithRoomForAllOfTheNextMessageIsGivenToIt) {
    design.router.reallocation = Reallocation::kWholeMessage;
    EXPECT_THAT(arrivals({{0, 2, 0}, {0, 2, 0}}),
                ElementsAre(FabricArrival{0, 4, 5}, FabricArrival{1, 6, 7}));
}

// A message of five flits waits as if each buffer had to be empty.
TEST_F(VirtualChannelRouterTest, AMessageLongerThanABufferWaitsUntilItIsEmpty) {
    design.router.reallocation = Reallocation::kWholeMessage;
    EXPECT_THAT(arrivals({{0, 2, 0}, {0, 5, 0}}),
                ElementsAre(FabricArrival{0, 4, 5}, FabricArrival{1, 7, 11}));
}

// --- Long messages among short ones -------------------------------------------------------------

struct LongCase {
    const char* name;
    Switching switching;
    Arbitration arbitration;
    std::int64_t hop_cycles;
};

void PrintTo(const LongCase& among, std::ostream* out) { *out << among.name; }

class LongMessageTest : public VirtualChannelRouterTest,
                        public ::testing::WithParamInterface<LongCase> {
  public:
    void SetUp() override {
        design.router.switching = GetParam().switching;
        design.router.arbitration = GetParam().arbitration;
        design.buffer = Flits(8);
        design.hop_cycles = Cycles(GetParam().hop_cycles);
    }
    [[nodiscard]] bool is_stored() const {
        return GetParam().switching == Switching::kStoreAndForward;
    }
};

// Messages of one flit from node 1 leave router 1 in each cycle from 1 on. Their credits can be
// used h + 1 cycles later (h: hop_cycles). The long message, as long as a buffer, is in router 1 in
// cycle h + 1. It needs 8 of h + 7 credits, so at most h - 1 flits may be in flight. Without
// priority h flits would be in flight for ever. Since the long message is the first requester, no
// other message is sent, and in the next cycle it has room.
TEST_P(LongMessageTest, GoesOnWhenTheFlitsBeforeItHaveLeft) {
    FabricBench& ends = row();
    const auto message = ends.send(0, 2, 8, 0);
    constexpr int kShort = 60;
    for (int i = 0; i < kShort; ++i) {
        ends.send(1, 2, 1, 0);
    }
    ends.run();
    EXPECT_EQ(ends.arrived(), 1 + kShort);
    const std::int64_t hop = GetParam().hop_cycles;
    const std::int64_t stored = is_stored() ? 3 * 7 : 0;
    const FabricArrival expected{message, 2 + 2 * hop + 1 + stored, 2 + 2 * hop + 1 + stored + 7};
    EXPECT_THAT(ends.end(2).arrivals, ::testing::Contains(expected));
}

// On a mesh of 3 x 3, all messages go to the node above the middle. The long message comes from the
// left, short ones from the right, from below and from the middle. In its last router but one, each
// of the three other inputs may send one message before it, one cycle each. Then the last of these
// messages' credit must return: 4 cycles in total. With oldest first, these are messages from the
// right and below that are as old.
TEST_P(LongMessageTest, WaitsForAtMostOneShortMessageOfEachOtherInput) {
    const Topology square = mesh_topology({3, 3});
    const auto x_first = dimension_order_routing(square, {0, 1});
    FabricBench ends(domain, *x_first, design);
    const auto message = ends.send(3, 7, 8, 0);
    for (const std::int32_t source : {1, 4, 5}) {
        for (int i = 0; i < 60; ++i) {
            ends.send(source, 7, 1, 0);
        }
    }
    ends.run();
    EXPECT_EQ(ends.arrived(), ends.sent());
    const auto& arrivals = ends.end(7).arrivals;
    const auto arrival = std::find_if(arrivals.begin(), arrivals.end(),
                                      [&](const auto& one) { return one.message == message; });
    ASSERT_NE(arrival, arrivals.end());
    const std::int64_t alone = 2 + 2 * GetParam().hop_cycles + (is_stored() ? 3 * 7 : 0);
    EXPECT_GT(arrival->header_cycle, alone);
    EXPECT_LE(arrival->header_cycle, alone + 3 + 1);
    EXPECT_EQ(arrival->tail_cycle, arrival->header_cycle + 7);
}

constexpr auto kCutThrough = Switching::kVirtualCutThrough;
constexpr auto kStored = Switching::kStoreAndForward;
INSTANTIATE_TEST_SUITE_P(
    Switchings, LongMessageTest,
    ::testing::Values(LongCase{"cut-through, in turn", kCutThrough, Arbitration::kRoundRobin, 1},
                      LongCase{"cut-through, oldest", kCutThrough, Arbitration::kOldest, 1},
                      LongCase{"stored, in turn", kStored, Arbitration::kRoundRobin, 1},
                      LongCase{"stored, oldest", kStored, Arbitration::kOldest, 1},
                      LongCase{"cut-through, long links", kCutThrough, Arbitration::kRoundRobin, 3},
                      LongCase{"stored, long links", kStored, Arbitration::kOldest, 3}));

// --- Credits ------------------------------------------------------------------------------------

// A link of one cycle and four slots. With a shorter credit delay four slots would cover the round
// trip.
TEST_F(VirtualChannelRouterTest, LongCreditsLimitTheRate) {
    design.credit_cycles = Cycles(7);
    row().send(0, 1, 9, 0);
    bench->run();
    // A channel of four credits, each back after eight cycles, sends four flits every eight cycles.
    EXPECT_THAT(bench->end(1).arrivals, ElementsAre(FabricArrival{0, 3, 3 + 2 * 8}));
}

// --- Arbitration --------------------------------------------------------------------------------

struct ArbitrationCase {
    Arbitration arbitration;
    bool through_is_older;
    bool through_wins;
};

void PrintTo(const ArbitrationCase& arbitration, std::ostream* out) {
    constexpr std::array kNames{"round robin", "skewed round robin", "fixed",
                                "oldest",      "oldest generated",   "oldest here"};
    *out << kNames.at(static_cast<std::size_t>(arbitration.arbitration))
         << (arbitration.through_is_older ? ", through is older" : ", through is younger");
}

class ArbitrationTest : public VirtualChannelRouterTest,
                        public ::testing::WithParamInterface<ArbitrationCase> {};

// A long message from node 0 to 2 is followed by another one from node 0, through router 1, and by
// one from node 1. Both request the same output in the same cycle. Round robin gives the output to
// node 1's message.
TEST_P(ArbitrationTest, SaysWhoComesFirst) {
    design.router.arbitration = GetParam().arbitration;
    design.injection_vcs = 2;
    row().send(0, 2, 20, 0);
    const auto through = bench->send(0, 2, 2, GetParam().through_is_older ? 1 : 6);
    bench->send(1, 2, 2, GetParam().through_is_older ? 6 : 2);
    bench->run();
    ASSERT_EQ(bench->end(2).arrivals.size(), 3U);
    EXPECT_EQ(bench->end(2).arrivals[1].message == through, GetParam().through_wins);
}

INSTANTIATE_TEST_SUITE_P(Arbitrations, ArbitrationTest,
                         ::testing::Values(ArbitrationCase{Arbitration::kRoundRobin, true, false},
                                           ArbitrationCase{Arbitration::kRoundRobin, false, false},
                                           ArbitrationCase{Arbitration::kFixed, true, true},
                                           ArbitrationCase{Arbitration::kFixed, false, true},
                                           ArbitrationCase{Arbitration::kOldest, true, true},
                                           ArbitrationCase{Arbitration::kOldest, false, false},
                                           ArbitrationCase{Arbitration::kOldestHere, true, false}));

// Ages count from generation, independently of the entry into the network.
class GenerationTest : public VirtualChannelRouterTest,
                       public ::testing::WithParamInterface<bool> {};

TEST_P(GenerationTest, TheMessageThatWasGeneratedFirstComesFirst) {
    design.router.arbitration = Arbitration::kOldestGenerated;
    design.injection_vcs = 2;
    row().send(0, 2, 20, 0);
    const auto through = bench->send(0, 2, 2, 1);
    bench->send(1, 2, 2, 2);
    bench->fabric.set_generation([&](hw::MessageSlot message) {
        return Cycles(GetParam() == (message == through) ? 0 : 1);
    });
    bench->run();
    ASSERT_EQ(bench->end(2).arrivals.size(), 3U);
    EXPECT_EQ(bench->end(2).arrivals[1].message == through, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Orders, GenerationTest, ::testing::Bool());

// --- When an output is bound --------------------------------------------------------------------

class BindingTest : public VirtualChannelRouterTest {
  protected:
    /// For each message that node 2 receives, true if it is node 0's. Node 1's first message fills
    /// the two buffers to node 2, which takes nothing before cycle 60. So the link from router 1
    /// has no credit when node 1's next message requests it, and later node 0's.
    std::vector<bool> through_first(OutputBinding binding, Arbitration arbitration) {
        design.router.output_binding = binding;
        design.router.arbitration = arbitration;
        row();
        bench->end(2).deaf_until = Cycles(60);
        bench->send(1, 2, 8, 0);
        bench->send(1, 2, 1, 1);
        const auto through = bench->send(0, 2, 1, 20);
        bench->run();
        std::vector<bool> order;
        for (const FabricArrival& arrival : bench->end(2).arrivals) {
            order.push_back(arrival.message == through);
        }
        return order;
    }
    bool own_is_second(OutputBinding binding) {
        design.router.output_binding = binding;
        design.router.arbitration = Arbitration::kFixed;
        row().send(2, 1, 20, 0);
        const auto own = bench->send(1, 1, 2, 4);
        bench->send(0, 1, 2, 8);
        bench->run();
        return bench->end(1).arrivals.at(1).message == own;
    }
};

// Node 1's second message holds the output before node 0's message comes; without a credit it can't
// move.
TEST_F(BindingTest, AGrantedOutputIsHeldWithoutACredit) {
    EXPECT_THAT(through_first(OutputBinding::kGranted, Arbitration::kFixed),
                ElementsAre(false, false, true));
}

// The arbiter decides again when there is a credit: the lower port wins.
TEST_F(BindingTest, UntilItsHeaderIsSentAMessageAsksInEachCycle) {
    EXPECT_THAT(through_first(OutputBinding::kHeaderSent, Arbitration::kFixed),
                ElementsAre(false, true, false));
}

// While a long message holds the output to node 1, node 1's message to itself requests this output
// before node 0's message.
TEST_F(BindingTest, FirstComeIsFirstServedWhateverTheArbiterSays) {
    EXPECT_TRUE(own_is_second(OutputBinding::kFirstCome));
}

TEST_F(BindingTest, AGrantGoesToWhomTheArbiterSays) {
    EXPECT_FALSE(own_is_second(OutputBinding::kGranted));
}

// Other messages can take the output as long as its message loses the switch.
TEST_F(BindingTest, WhatLosesTheSwitchIsNotBound) {
    design.router.output_binding = OutputBinding::kHeaderSent;
    design.injection_vcs = 2;
    row({3, 2}).send_at_random(3, 200, 6, 3);
    bench->run();
    EXPECT_EQ(bench->arrived(), bench->sent());
    EXPECT_EQ(bench->flits_missing(), 0);
}

// --- What waits ---------------------------------------------------------------------------------

// Waits of all messages as texts: waiting part, awaited part, reason.
std::vector<std::string> waits_of(const Fabric& fabric) {
    hw::WaitReport report;
    fabric.report_waits(report);
    std::vector<std::string> texts;
    for (const hw::Wait& wait : report) {
        texts.push_back(wait.who + " | " + wait.for_whom + " | " + wait.why);
    }
    return texts;
}

TEST_F(VirtualChannelRouterTest, SaysWhatAMessageWaitsFor) {
    held_before_a_deaf_node();
    EXPECT_THAT(waits_of(bench->fabric),
                ElementsAre(Names("(0) +x | (1) +x |", "node 2", "(1) +x", "room", "4", "flits"),
                            Names("(1) +x | (2) ejection |", "node 2", "(2) ejection", "room", "4",
                                  "flits")));
}

// The remaining slot is too small for a whole message, and no message holds the output.
TEST_F(VirtualChannelRouterTest, SaysThatAWholeMessageHasNoRoom) {
    design.router.switching = Switching::kVirtualCutThrough;
    held_before_a_deaf_node();
    EXPECT_THAT(
        waits_of(bench->fabric),
        ElementsAre(Names("(0) +x | (1) +x |", "node 2", "(1) +x", "room", "before"),
                    Names("(1) +x | (2) ejection |", "node 2", "(2) ejection", "room", "before")));
}

// The wait of a single-flit message is reported, too.
TEST_F(VirtualChannelRouterTest, SaysThatAnotherMessageHoldsAnOutput) {
    row();
    bench->end(2).deaf_until = Cycles(100);
    bench->send(0, 2, 20, 0);
    bench->send(1, 2, 1, 20);
    bench->run(90);
    EXPECT_THAT(waits_of(bench->fabric), ::testing::Contains(Names("node 1 injection | (1) +x |",
                                                                   "node 2", "(1) +x", "holds")));
}

}  // namespace
}  // namespace weir::network
