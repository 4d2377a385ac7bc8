#include "network/worm_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "hw/controller/controller.h"
#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/test_cost.h"
#include "network/mesh_network.h"
#include "network/network.h"
#include "network/router_network.h"
#include "network/testing/burst_ends.h"
#include "network/testing/random_network.h"

namespace weir::network {
namespace {

using hw::ByteQueue;
using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using hw::MessageSlot;
using hw::NodeId;
using hw::QueueKind;
using hw::RandomStream;
using testing::Comparison;
using testing::EndNode;
using testing::kLastCycle;
using testing::Pace;
using testing::tick_as_fits;
using testing::told_of_end;

constexpr testing::RandomKind kKind = testing::RandomKind::kPlainMesh;

class WormNetworkTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    hw::ClockTiles clock{clock_parameters, 1, 1};
};

class WormsOrFlitsTest : public WormNetworkTest, public ::testing::WithParamInterface<int> {};

constexpr int kNetworksABatch = 60;

// All batches together: 3000 networks, each emulated twice.
TEST_P(WormsOrFlitsTest, IsTheSameForEverybody) {
    const auto first_seed = static_cast<std::uint64_t>(GetParam()) * kNetworksABatch;
    Comparison comparison(clock, kKind, first_seed, kNetworksABatch);
    comparison.run();
    EXPECT_EQ(comparison.first_difference, "")
        << comparison.different_seeds.size() << " networks differ";
    EXPECT_GT(comparison.stops(), 8 * kNetworksABatch);
}

INSTANTIATE_TEST_SUITE_P(Batches, WormsOrFlitsTest, ::testing::Range(0, 50));

TEST_F(WormNetworkTest, PlantedStallThatIsSkippedIsCaught) {
    Comparison comparison(clock, kKind, 0, 60, Bytes(1));
    comparison.run();
    EXPECT_NE(comparison.first_difference, "");
    EXPECT_GT(comparison.different_seeds.size(), 10U);
}

TEST(WormNetworkOrderTest, TellsTheSameStoryInEveryOrder) {
    testing::expect_same_story_in_every_order(kKind);
}

// --- The clock ----------------------------------------------------------------------------------

TEST(WormNetworkEndTest, StandsStillWhereTheFlitsWould) { testing::expect_same_standstills(kKind); }

TEST(WormNetworkEndTest, IsCutAtACycleWhereTheFlitsWould) { testing::expect_same_cuts(kKind); }

// Two messages of four flits are in node 0's output queue. The second message's first flit would
// enter in cycle 5; the run is cut before that.
TEST(WormNetworkEndTest, WhatWasToEnterLaterHasNotEntered) {
    const hw::ClockDomainParameters clock;
    hw::ClockTiles tiles(clock, 1, 1);
    ClockDomain& domain = tiles.first();
    NetworkParameters parameters;
    ASSERT_TRUE(parameters.find("dimensions")->set(std::vector<std::int64_t>{2, 1}));
    hw::MessagePool messages;
    WormNetwork network("network", tiles, parameters, messages);
    std::deque<ByteQueue> queues;
    for (std::int32_t node = 0; node < 2; ++node) {
        ByteQueue& output =
            queues.emplace_back(NodeId(node), QueueKind::kOutput, Bytes(256), nullptr);
        ByteQueue& input =
            queues.emplace_back(NodeId(node), QueueKind::kInput, Bytes(256), nullptr);
        network.interface(NodeId(node)).attach(output, input, [](hw::Message&, Cycles) {});
    }
    std::vector<MessageSlot> sent;
    hw::testing::ScriptedPart program(domain);
    program.at(0, [&](Cycles now) {
        for (int i = 0; i < 2; ++i) {
            const MessageSlot slot = messages.allocate();
            messages[slot].id = hw::MessageId{NodeId(0), i};
            messages[slot].source = NodeId(0);
            messages[slot].destination = NodeId(1);
            messages[slot].bytes = Bytes(8);
            queues[0].begin_message(slot, now);
            queues[0].push(Bytes(8), now);
            sent.push_back(slot);
        }
    });
    domain.run_until(Cycles(3));
    network.end_of_run(Cycles(3));
    const hw::Message& first = messages[sent[0]];
    const hw::Message& second = messages[sent[1]];
    EXPECT_EQ(first.times.network_entry, Cycles(1));
    EXPECT_EQ(first.times.tail_entry, hw::kNever);
    EXPECT_EQ(first.hops, 1);
    EXPECT_GT(first.unloaded, Cycles(0));
    EXPECT_EQ(second.times.network_entry, hw::kNever);
    EXPECT_EQ(second.hops, 0);
    EXPECT_EQ(second.unloaded, Cycles(0));
}

// --- In tiles -----------------------------------------------------------------------------------

class WormTilesTest : public ::testing::TestWithParam<int> {};

// Batches of networks in 2, 3 and 4 tiles; in small networks some tiles are empty.
TEST_P(WormTilesTest, AreTheSameForEverybody) {
    const auto batch = static_cast<std::uint64_t>(GetParam());
    hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 2 + batch % 3);
    tick_as_fits(clock);
    Comparison comparison(clock, kKind, 7000 + 50 * batch, 50);
    comparison.run();
    EXPECT_EQ(comparison.first_difference, "")
        << comparison.different_seeds.size() << " networks differ";
    EXPECT_GT(comparison.stops(), 200);
}

INSTANTIATE_TEST_SUITE_P(Batches, WormTilesTest, ::testing::Range(0, 12));

TEST(WormTilesEndTest, StandStillWhereTheFlitsWould) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        const std::string by_flits = told_of_end(kKind, seed, 0, seed % 4 != 0, kLastCycle);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(kKind, seed, 2 + seed % 3, seed % 4 != 0, kLastCycle), by_flits)
            << "seed " << seed;
    }
}

TEST(WormTilesEndTest, AreCutWhereTheFlitsWouldBe) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        const Cycles limit(20 + static_cast<std::int64_t>((seed - 100) * (seed - 100)));
        const std::string by_flits = told_of_end(kKind, seed, 0, false, limit);
        ASSERT_NE(by_flits, "failed");
        ASSERT_EQ(told_of_end(kKind, seed, 2 + seed % 3, false, limit), by_flits)
            << "seed " << seed;
    }
}

// --- Which networks it takes --------------------------------------------------------------------

std::string channels_of_mesh(std::int64_t hop_cycles, bool flit_by_flit) {
    return hw::testing::result_of_separate_run([=] {
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.hop_cycles.set(hop_cycles));
        EXPECT_TRUE(parameters.flit_by_flit.set(flit_by_flit));
        hw::MessagePool messages;
        const auto network =
            make_network(parameters, {clock, messages, parameters.node_count(), Cycles(3), 1});
        return std::string(network->all_channels().empty() ? "worms" : "flits");
    });
}

TEST(WormNetworkKindTest, TakesPlainMeshesOfShortLinksUnlessItIsSwitchedOff) {
    EXPECT_EQ(channels_of_mesh(1, false), "worms");
    EXPECT_EQ(channels_of_mesh(64, false), "worms");
    EXPECT_EQ(channels_of_mesh(65, false), "flits");
    EXPECT_EQ(channels_of_mesh(1, true), "flits");
}

std::string kind_of(bool is_torus, bool routes_plain_meshes) {
    return hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.find("topology")->set(std::string(is_torus ? "torus" : "mesh")));
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        NetworkSurroundings surroundings{clock, messages, parameters.node_count(), Cycles(3), 1};
        surroundings.routes_plain_meshes = routes_plain_meshes;
        const auto network = make_network(parameters, surroundings);
        return std::string(dynamic_cast<WormNetwork*>(network.get()) != nullptr   ? "worms"
                           : dynamic_cast<MeshNetwork*>(network.get()) != nullptr ? "a plain mesh"
                                                                                  : "routes");
    });
}

TEST(WormNetworkKindTest, IsOfPlainMeshesThatAreNotToBeRouted) {
    EXPECT_EQ(kind_of(false, false), "worms");
    EXPECT_EQ(kind_of(false, true), "routes");
    EXPECT_EQ(kind_of(true, false), "routes");
    EXPECT_EQ(kind_of(true, true), "routes");
}

// --- What it is for -----------------------------------------------------------------------------

struct Effort {
    std::int64_t ticks = 0;
    std::int64_t tail_arrival = 0;
    std::int64_t flit_hops = 0;
};

// A message of 320,000 bytes from one corner of Alewife to the opposite one, 10 hops. The sender
// puts 32 bytes in every 11 cycles, and the receiver takes 32 out every 11 cycles.
Effort effort_of_a_long_message(RouterNetwork& network, ClockDomain& domain,
                                hw::MessagePool& messages) {
    const Pace pace{Bytes(32), 11, 11, 0};
    std::vector<std::unique_ptr<EndNode>> nodes;
    for (std::int32_t i = 0; i < network.node_count(); ++i) {
        nodes.push_back(std::make_unique<EndNode>(domain, messages, NodeId(i), Bytes(256),
                                                  Bytes(256), pace, pace, 1));
        network.interface(NodeId(i)).attach(nodes.back()->output_queue, nodes.back()->input_queue,
                                            [](hw::Message&, Cycles) {});
    }
    const MessageSlot slot = messages.allocate();
    hw::Message& message = messages[slot];
    message.id = hw::MessageId{NodeId(0), 0};
    message.source = NodeId(0);
    message.destination = NodeId(31);
    message.bytes = Bytes(320'000);
    nodes.front()->source.send(slot);
    domain.run_until(kLastCycle);
    return {domain.ticks(), message.times.tail_arrival.count(), network.flit_hops()};
}

std::string cost_of_a_long_message(bool flit_by_flit) {
    return hw::testing::result_of_separate_run([=] {
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        NetworkParameters parameters;
        EXPECT_TRUE(parameters.flit_by_flit.set(flit_by_flit));
        const auto network =
            make_network(parameters, {clock, messages, parameters.node_count(), Cycles(3), 1});
        const Effort effort = effort_of_a_long_message(dynamic_cast<RouterNetwork&>(*network),
                                                       clock.first(), messages);
        return std::to_string(effort.ticks) + " " + std::to_string(effort.tail_arrival) + " " +
               std::to_string(effort.flit_hops);
    });
}

Effort effort_in(const std::string& text) {
    Effort effort;
    std::istringstream(text) >> effort.ticks >> effort.tail_arrival >> effort.flit_hops;
    return effort;
}

TEST(WormNetworkEffortTest, OfALongMessageIsInItsBurstsNotInItsFlits) {
    const Effort by_worms = effort_in(cost_of_a_long_message(false));
    const Effort by_flits = effort_in(cost_of_a_long_message(true));
    EXPECT_EQ(by_worms.tail_arrival, by_flits.tail_arrival);
    EXPECT_EQ(by_worms.flit_hops, 11 * 160'000);
    EXPECT_EQ(by_flits.flit_hops, 11 * 160'000);
    constexpr std::int64_t kBursts = 2 * 320'000 / 32;
    EXPECT_GT(by_flits.ticks, 13 * 160'000);
    RecordProperty("ticks_by_worms", std::to_string(by_worms.ticks));
    RecordProperty("ticks_by_flits", std::to_string(by_flits.ticks));
    // About three ticks per burst: a network interface looks in two cycles, and then acts.
    EXPECT_LT(by_worms.ticks, 4 * kBursts);
}

WEIR_TESTS_COST("WormNetworkOrderTest", 4, 31);
WEIR_TESTS_COST("WormTilesTest.AreTheSameForEverybody/9$", 1, 7);

}  // namespace
}  // namespace weir::network
