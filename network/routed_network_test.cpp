#include "network/routed_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/refusal.h"
#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "network/mesh_network.h"
#include "network/network_plan.h"
#include "network/plan_fault.h"
#include "network/testing/network_bench.h"
#include "network/testing/settings.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using hw::Bytes;
using hw::ClockDomain;
using hw::Cycles;
using hw::NodeId;
using testing::counts_by_name;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::List;
using testing::NetworkBench;
using ::testing::Not;
using ::testing::Pair;
using testing::Settings;
using testing::text;
using ::testing::UnorderedElementsAre;
using weir::testing::Names;

constexpr Cycles kRunEnd(100'000'000);

void set_network(NetworkParameters& parameters, const Settings& settings) {
    testing::set_all(parameters, settings);
    const auto fault = parameters.check();
    ASSERT_FALSE(fault) << fault->key << " " << hw::text_of(*fault);
}

// --- Every topology, routing and switching ------------------------------------------------------

struct NetworkCase {
    std::string name;
    Settings settings;
};
void PrintTo(const NetworkCase& network, std::ostream* out) { *out << network.name; }

std::vector<NetworkCase> every_network() {
    const Settings pipeline{{"routing_cycles", std::int64_t{1}},
                            {"vc_allocation_cycles", std::int64_t{2}},
                            {"switch_allocation_cycles", std::int64_t{1}},
                            {"hop_cycles", std::int64_t{2}},
                            {"credit_cycles", std::int64_t{2}}};
    const Settings deep{{"buffer_flits", std::int64_t{16}}};
    std::vector<NetworkCase> networks{
        {"mesh", {{"dimensions", List{4, 3}}}},
        {"mesh y first", {{"dimensions", List{4, 3}}, {"routing_order", List{1, 0}}}},
        {"mesh 3-D", {{"dimensions", List{3, 2, 2}}}},
        {"mesh 2 VCs", {{"dimensions", List{4, 3}}, {"virtual_channels", std::int64_t{2}}}},
        {"mesh up/down", {{"dimensions", List{4, 3}}, {"routing", text("up_down")}}},
        {"mesh adaptive", {{"dimensions", List{4, 4}}, {"routing", text("minimal_adaptive")}}},
        {"torus", {{"topology", text("torus")}, {"dimensions", List{4, 5}}}},
        {"torus 4 VCs",
         {{"topology", text("torus")},
          {"dimensions", List{4, 4}},
          {"virtual_channels", std::int64_t{4}}}},
        {"torus adaptive",
         {{"topology", text("torus")},
          {"dimensions", List{4, 4}},
          {"routing", text("minimal_adaptive")}}},
        {"hypercube", {{"topology", text("hypercube")}, {"dimensions", List{16}}}},
        {"hypercube adaptive",
         {{"topology", text("hypercube")},
          {"dimensions", List{16}},
          {"routing", text("minimal_adaptive")},
          {"virtual_channels", std::int64_t{3}}}},
        {"butterfly",
         {{"topology", text("butterfly")}, {"dimensions", List{16}}, {"arity", std::int64_t{2}}}},
        {"fat tree",
         {{"topology", text("fat_tree")}, {"dimensions", List{16}}, {"arity", std::int64_t{4}}}},
        {"fat tree 2 VCs, partial",
         {{"topology", text("fat_tree")},
          {"dimensions", List{11}},
          {"arity", std::int64_t{3}},
          {"virtual_channels", std::int64_t{2}}}},
        {"graph", {{"topology", text("graph")}, {"graph_file", text("ring.dot")}}},
        {"mesh planar adaptive",
         {{"dimensions", List{3, 3, 2}}, {"routing", text("planar_adaptive")}}},
        {"fat tree random up",
         {{"topology", text("fat_tree")},
          {"dimensions", List{16}},
          {"arity", std::int64_t{2}},
          {"routing", text("random_up")}}},
        {"concentrated mesh",
         {{"topology", text("concentrated_mesh")}, {"dimensions", List{2, 3, 3}}}},
        {"flattened butterfly",
         {{"topology", text("flattened_butterfly")}, {"dimensions", List{2, 3, 3}}}},
        {"slim fly", {{"topology", text("slim_fly")}, {"dimensions", List{1, 2, 3, 3}}}},
        {"mesh odd-even", {{"dimensions", List{4, 4}}, {"routing", text("odd_even")}}},
        {"mesh O1TURN", {{"dimensions", List{4, 3}}, {"routing", text("o1turn")}}},
        {"mesh ROMM", {{"dimensions", List{4, 3}}, {"routing", text("romm")}}},
    };
    const std::size_t plain = networks.size();
    const auto with = [&](std::size_t i, const char* name, const Settings& more) {
        NetworkCase network = networks[i];
        network.name += std::string(", ") + name;
        network.settings.insert(network.settings.end(), more.begin(), more.end());
        networks.push_back(std::move(network));
    };
    for (std::size_t i = 0; i < plain; ++i) {
        with(i, "pipelined", pipeline);
    }
    Settings cut_through = deep;
    cut_through.emplace_back("switching", text("virtual_cut_through"));
    Settings stored = deep;
    stored.emplace_back("switching", text("store_and_forward"));
    const Settings narrow{{"channel_bits_per_cycle", std::int64_t{4}}};
    const Settings copies{{"copies", std::int64_t{2}}};
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{6}, std::size_t{8},
                                std::size_t{11}, std::size_t{12}}) {
        with(i, "virtual cut-through", cut_through);
        with(i, "stored whole", stored);
        with(i, "narrow", narrow);
        with(i, "two copies", copies);
        with(i, "tags", {{"tag_bytes", std::int64_t{8}}});
        with(i, "oldest first", {{"arbitration", text("oldest")}});
        with(i, "fixed", {{"arbitration", text("fixed")}});
        with(i, "skewed", {{"arbitration", text("skewed_round_robin")}});
        with(i, "oldest generated", {{"arbitration", text("oldest_generated")}});
        with(i, "oldest here", {{"arbitration", text("oldest_here")}});
        with(i, "input first", {{"allocator", text("input_first")}});
        with(i, "wavefront", {{"allocator", text("wavefront")}});
        with(i, "header sent", {{"output_binding", text("header_sent")}});
        with(i, "first come", {{"output_binding", text("first_come")}});
        with(i, "first come, input first",
             {{"output_binding", text("first_come")}, {"allocator", text("input_first")}});
        with(i, "unlike buffers",
             {{"injection_buffer_flits", std::int64_t{9}},
              {"ejection_buffer_flits", std::int64_t{2}},
              {"injection_credit_cycles", std::int64_t{3}}});
    }
    with(0, "dynamic nodes",
         {{"router", text("dynamic_node")}, {"credit_cycles", std::int64_t{2}}});
    networks.push_back({"dragonfly with long channels",
                        {{"topology", text("dragonfly")},
                         {"dimensions", List{2, 2, 3}},
                         {"global_hop_cycles", std::int64_t{7}}}});
    networks.push_back({"graph with latencies",
                        {{"topology", text("graph")}, {"graph_file", text("latencies.dot")}}});
    return networks;
}

class EveryNetwork : public ::testing::TestWithParam<NetworkCase> {
  public:
    EveryNetwork() {
        Settings settings = GetParam().settings;
        for (auto& [name, value] : settings) {
            if (name == std::string("graph_file")) {
                const bool has_latencies = value == hw::ParameterValue(text("latencies.dot"));
                std::ofstream(graph_file)
                    << (has_latencies
                            ? "graph { a -- b; b -- c [latency=5]; c -- d; d -- e; }"
                            : "graph { a -- b; b -- c; c -- d; d -- e; e -- f; f -- a; b -- e; }");
                value = graph_file;
            }
        }
        set_network(parameters, settings);
    }
    ~EveryNetwork() override { std::filesystem::remove(graph_file); }

    const std::string graph_file =
        ::testing::TempDir() + "ring_" + std::to_string(getpid()) + ".dot";
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    NetworkParameters parameters;
    hw::MessagePool messages;
};

TEST_P(EveryNetwork, DeliversUnderLoad) {
    RoutedNetwork network("network", domain, parameters, messages);
    EXPECT_TRUE(prove(network.plan().routing()).is_free_of_deadlock());
    NetworkBench bench(domain, network, messages);
    bench.send_at_random(7, 300, 32, 10);
    domain.run_until(kRunEnd);
    EXPECT_EQ(bench.arrived(), bench.sent());
    EXPECT_EQ(bench.conservation_fault(false), std::nullopt);
    EXPECT_EQ(network.flits_in_flight(), hw::Flits(0));
    EXPECT_FALSE(network.fault().has_value());
}

// Sends one message at a time, between all pairs of different nodes.
TEST_P(EveryNetwork, UnloadedLatencyIsTheClosedForm) {
    RoutedNetwork network("network", domain, parameters, messages);
    NetworkBench bench(domain, network, messages);
    struct Sent {
        hw::MessageSlot slot;
        Cycles expected;
    };
    std::vector<Sent> all;
    std::int64_t cycle = 10;
    for (std::int32_t source = 0; source < network.node_count(); ++source) {
        for (std::int32_t destination = 0; destination < network.node_count(); ++destination) {
            if (source == destination) {
                continue;
            }
            const Bytes bytes(8 + 2 * (destination % 8));
            const UnloadedTrip trip =
                network.unloaded_trip(NodeId(source), NodeId(destination), bytes);
            all.push_back({bench.send(source, destination, bytes.count(), cycle),
                           Cycles(cycle) + trip.header_cycles});
            cycle += 4000;
        }
    }
    domain.run_until(kRunEnd);
    for (const Sent& sent : all) {
        const hw::Message& message = messages[sent.slot];
        EXPECT_EQ(message.times.header_arrival, sent.expected)
            << message.source << " to " << message.destination;
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, EveryNetwork, ::testing::ValuesIn(every_network()));

// Cycles computed by hand: 2 for injection, 3 for each of 6 hops, and 1 + 2 + 1 for each of 7
// routers. Ejection takes 5, and three more header flits take 3.
TEST(RoutedTripTest, AddsUpAPipeline) {
    NetworkParameters parameters;
    set_network(parameters, {{"topology", text("torus")},
                             {"dimensions", List{8, 8}},
                             {"injection_cycles", std::int64_t{2}},
                             {"ejection_cycles", std::int64_t{5}},
                             {"hop_cycles", std::int64_t{3}},
                             {"routing_cycles", std::int64_t{1}},
                             {"vc_allocation_cycles", std::int64_t{2}},
                             {"switch_allocation_cycles", std::int64_t{1}}});
    const NetworkPlan plan(parameters);
    RoutedTrips trips(plan, parameters);
    const UnloadedTrip trip = trips.between(NodeId(0), NodeId(4 * 8 + 6), Bytes(8));
    EXPECT_EQ(trip.hops, 6);  // 2 hops around the end of dimension x, 4 hops up in dimension y
    EXPECT_EQ(trip.header_cycles, Cycles(2 + 6 * 3 + 7 * (1 + 2 + 1) + 5 + 3));
}

TEST(RoutedTripTest, OfNarrowChannelsAndOfStoreAndForward) {
    NetworkParameters parameters;
    set_network(parameters, {{"dimensions", List{4, 4}},
                             {"channel_bits_per_cycle", std::int64_t{4}},
                             {"buffer_flits", std::int64_t{16}},
                             {"switching", text("store_and_forward")}});
    const NetworkPlan plan(parameters);
    RoutedTrips trips(plan, parameters);
    // A flit takes four cycles; each of the 3 routers waits for the 9 flits after the header flit.
    EXPECT_EQ(trips.between(NodeId(0), NodeId(2), Bytes(20)).header_cycles,
              Cycles((2 + 3) + 2 * (1 + 3) + (2 + 3) + 3 * 9 * 4 + 3 * 4));
}

// --- The same mesh ------------------------------------------------------------------------------

// Compares MeshNetwork with RoutedNetwork: both carry the same random messages, some of them long,
// into input queues that fill.
class SameMesh : public ::testing::TestWithParam<std::int64_t> {
  public:
    void run_both(const Settings& settings, const Settings& of_the_routed = {}) {
        NetworkParameters parameters;
        set_network(parameters, settings);
        NetworkParameters routed_parameters;
        set_network(routed_parameters, settings);
        set_network(routed_parameters, of_the_routed);
        hw::ClockDomainParameters clock_parameters;
        ClockDomain domain("clock", clock_parameters);
        hw::MessagePool mesh_messages;
        hw::MessagePool routed_messages;
        MeshNetwork mesh("mesh", domain, parameters, mesh_messages);
        RoutedNetwork routed("routed", domain, routed_parameters, routed_messages);
        const NetworkBench::Ends ends{Bytes(64), GetParam()};
        NetworkBench mesh_bench(domain, mesh, mesh_messages, ends);
        NetworkBench routed_bench(domain, routed, routed_messages, ends);
        for (NetworkBench* bench : {&mesh_bench, &routed_bench}) {
            bench->send_at_random(3, 400, 60, 60);
            bench->send(0, 5, 4000, 7);
            bench->send(3, 1, 4000, 70);
        }
        domain.run_until(kRunEnd);
        EXPECT_EQ(mesh_bench.arrived(), mesh_bench.sent());
        of_mesh = mesh_bench.text();
        of_routed = routed_bench.text();
        EXPECT_EQ(mesh.flit_hops(), routed.flit_hops());
    }
    std::string of_mesh;
    std::string of_routed;
};

TEST_P(SameMesh, FlitForFlit) {
    run_both({{"dimensions", List{4, 3}}});
    EXPECT_TRUE(of_mesh == of_routed);
}
TEST_P(SameMesh, WithLongLinksAndBuffersOfOne) {
    run_both({{"dimensions", List{3, 3, 2}},
              {"hop_cycles", std::int64_t{3}},
              {"buffer_flits", std::int64_t{1}}});
    EXPECT_TRUE(of_mesh == of_routed);
}
TEST_P(SameMesh, AnotherArbitrationIsSeen) {  // planted fault, in RoutedNetwork alone
    run_both({{"dimensions", List{4, 3}}}, {{"arbitration", text("fixed")}});
    EXPECT_FALSE(of_mesh == of_routed);
}
INSTANTIATE_TEST_SUITE_P(Pauses, SameMesh, ::testing::Values(1, 50));

// --- Orders -------------------------------------------------------------------------------------

TEST(RoutedNetworkOrderTest, NoResultDependsOnTheTickOrderNorOnSleeping) {
    for (const Settings& settings : {Settings{{"topology", text("torus")},
                                              {"dimensions", List{4, 4}},
                                              {"routing", text("minimal_adaptive")},
                                              {"arbitration", text("oldest")},
                                              {"credit_cycles", std::int64_t{3}}},
                                     Settings{{"topology", text("fat_tree")},
                                              {"dimensions", List{16}},
                                              {"virtual_channels", std::int64_t{3}},
                                              {"routing_cycles", std::int64_t{1}},
                                              {"copies", std::int64_t{2}},
                                              {"channel_bits_per_cycle", std::int64_t{8}}},
                                     Settings{{"dimensions", List{4, 4}},
                                              {"virtual_channels", std::int64_t{2}},
                                              {"buffer_flits", std::int64_t{16}},
                                              {"switching", text("store_and_forward")}}}) {
        const auto results = hw::testing::results_in_every_order([&](ClockDomain& domain) {
            NetworkParameters parameters;
            set_network(parameters, settings);
            hw::MessagePool messages;
            RoutedNetwork network("network", domain, parameters, messages);
            NetworkBench bench(domain, network, messages, {Bytes(64), 20});
            bench.send_at_random(5, 60, 32, 20);
            domain.run_until(Cycles(60'000));
            return std::to_string(bench.arrived()) + "\n" + bench.text();
        });
        EXPECT_THAT(results, Each(results.front()));
        EXPECT_THAT(results.front(), Not(HasSubstr("failed")));
    }
}

// --- Where it must not go on --------------------------------------------------------------------

class RoutedNetworkTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    NetworkParameters parameters;
    hw::MessagePool messages;
};

TEST_F(RoutedNetworkTest, ATorusWithoutDatelinesIsNotProvedAndDeadlocks) {
    set_network(parameters, {{"topology", text("torus")},
                             {"dimensions", List{4, 4}},
                             {"virtual_channels", std::int64_t{1}},
                             {"ring_ties", text("up")},
                             {"allow_deadlock", true}});
    RoutedNetwork network("network", domain, parameters, messages);
    EXPECT_FALSE(prove(network.plan().routing()).is_free_of_deadlock());
    EXPECT_THAT(prove(network.plan().routing()).text(),
                Names("(1,0) +x", "(2,0) +x", "(2,0) +x", "(3,0) +x"));
    NetworkBench bench(domain, network, messages);
    bench.send_at_random(7, 300, 32, 3);
    domain.run_until(kRunEnd);
    EXPECT_FALSE(domain.has_wake_ups());
    EXPECT_LT(bench.arrived(), bench.sent());
    hw::WaitReport report;
    network.report_waits(report, {});
    ASSERT_FALSE(report.empty());
    EXPECT_THAT(report.front().who, Not(HasSubstr("copy"))) << "there is only one";
}

// Counts how many of 40 messages over half of a ring go up, with a given seed.
class RingTiesTest : public RoutedNetworkTest {
  protected:
    std::int64_t going_up(const char* ties, std::uint64_t seed) {
        set_network(parameters, {{"topology", text("torus")},
                                 {"dimensions", List{4}},
                                 {"flit_bytes", std::int64_t{8}},
                                 {"ring_ties", text(ties)}});
        RoutedNetwork network("network", domain, parameters, messages, no_faults(), seed);
        NetworkBench bench(domain, network, messages);
        for (std::int64_t i = 0; i < 40; ++i) {
            bench.send(0, 2, 8, 10 * (i + 1));
        }
        domain.run_until(kRunEnd);
        EXPECT_EQ(bench.arrived(), 40);
        return counts_by_name(network, domain.now()).at("(0) +x").sent.count();
    }
};

TEST_F(RingTiesTest, LotsAreDrawnByTheSeed) {
    const Topology ring = torus_topology({4});
    const auto routing =
        torus_dimension_order_routing(ring, {0}, {RingClasses::kCrossing, RingTies::kLot});
    MessageLots lots(*routing, 3, NodeId(0), "message lots");
    std::int64_t up = 0;
    for (int i = 0; i < 40; ++i) {
        up += lots.draw(NodeId(2)) == 0 ? 1 : 0;
    }
    EXPECT_GT(up, 10);
    EXPECT_LT(up, 30);
    EXPECT_EQ(going_up("lot", 3), up);
}

TEST_F(RingTiesTest, FromAnEvenCoordinateAllGoUp) { EXPECT_EQ(going_up("parity", 3), 40); }

// A message by a random node takes the time, and the hops, of the route of its own lot.
TEST_F(RoutedNetworkTest, TripsInTwoPhasesAreThoseOfTheMessagesLots) {
    for (const bool flit_by_flit : {false, true}) {
        const std::string found = hw::testing::result_of_separate_run([&] {
            NetworkParameters network_parameters;
            set_network(network_parameters, {{"topology", text("torus")},
                                             {"dimensions", List{4, 4}},
                                             {"routing", text("valiant")},
                                             {"hop_cycles", std::int64_t{3}},
                                             {"flit_by_flit", flit_by_flit}});
            RoutedNetwork network("network", domain, network_parameters, messages);
            NetworkBench bench(domain, network, messages);
            std::vector<hw::MessageSlot> all;
            for (int i = 0; i < 30; ++i) {
                all.push_back(bench.send(1, 2, 8, 10 + 1'000 * i));
            }
            domain.run_until(kRunEnd);
            std::set<std::int32_t> hops;
            for (int i = 0; i < 30; ++i) {
                const hw::Message& message = messages[all[static_cast<std::size_t>(i)]];
                EXPECT_EQ(message.times.header_arrival, Cycles(10 + 1'000 * i) + message.unloaded);
                EXPECT_EQ(message.unloaded, Cycles(2 + 3 * message.hops + 2 + 3));
                hops.insert(message.hops);
            }
            return std::to_string(hops.size());
        });
        EXPECT_GE(std::stoi(found), 3) << "1, 3, 5 or 7 hops";
    }
}

TEST_F(RoutedNetworkTest, AMessageLongerThanABufferEndsTheRunWhereItIsSwitchedWhole) {
    set_network(parameters,
                {{"dimensions", List{2, 2}}, {"switching", text("virtual_cut_through")}});
    RoutedNetwork network("network", domain, parameters, messages);
    NetworkBench bench(domain, network, messages);
    bench.send(1, 2, 8, 5);
    bench.send(1, 2, 10, 50);
    domain.run_until(kRunEnd);
    EXPECT_EQ(bench.arrived(), 1);
    ASSERT_TRUE(network.fault().has_value());
    EXPECT_THAT(network.fault()->found, Names("message 1", "node 1", "5", "flits", "4"));
}

TEST_F(RoutedNetworkTest, CopiesTakeMessagesInTurnAndDeliverThemOneAfterTheOther) {
    set_network(parameters, {{"dimensions", List{3, 1}}, {"copies", std::int64_t{2}}});
    RoutedNetwork network("network", domain, parameters, messages);
    NetworkBench bench(domain, network, messages);
    for (int i = 0; i < 10; ++i) {
        bench.send(0, 2, 16, 10);
        bench.send(1, 2, 16, 10);
    }
    domain.run_until(kRunEnd);
    EXPECT_EQ(bench.arrived(), 20);
    EXPECT_EQ(network.fabric(0).flit_hops(), network.fabric(1).flit_hops());
    EXPECT_EQ(network.flit_hops(), 10 * 8 * (3 + 2));
}

TEST_F(RoutedNetworkTest, VirtualChannelsAndCopiesAreNamedWhereThereAreSeveral) {
    const auto name_of_first = [&](Settings settings) {
        NetworkParameters some;
        settings.emplace_back("flit_by_flit", true);
        set_network(some, settings);
        const RoutedNetwork network(sc_core::sc_gen_unique_name("network"), domain, some, messages);
        return network.fabric(0).links().front().vcs.front()->name();
    };
    EXPECT_EQ(name_of_first({}), "(0,0) +x");
    EXPECT_THAT(name_of_first({{"virtual_channels", std::int64_t{2}}}),
                Names("(0,0) +x", "channel 0"));
    EXPECT_THAT(name_of_first({{"copies", std::int64_t{2}}}), Names("(0,0) +x", "copy 0"));
}

// Node 1's header is in router 1 in cycle 12. Its 20 flits hold the route to node 2 through cycle
// 31. Node 0's header is in router 1 from cycle 13 on.
TEST_F(RoutedNetworkTest, AHeaderThatWaitsIsCountedAtItsChannel) {
    set_network(parameters, {{"dimensions", List{3, 1}}});
    RoutedNetwork network("network", domain, parameters, messages);
    NetworkBench bench(domain, network, messages);
    bench.send(1, 2, 40, 10);
    bench.send(0, 2, 8, 10);
    domain.run_until(kRunEnd);
    std::map<std::string, std::int64_t> waits;
    for (const auto& [channel, count] : counts_by_name(network, domain.now())) {
        if (count.header_waits != Cycles(0)) {
            waits[channel] = count.header_waits.count();
        }
    }
    EXPECT_THAT(waits, UnorderedElementsAre(Pair("(0,0) +x", 32 - 13)));
}

TEST_F(RoutedNetworkTest, AChannelsLoadIsWhatAllCopiesSentOverIt) {
    set_network(parameters, {{"dimensions", List{3, 1}}, {"copies", std::int64_t{2}}});
    RoutedNetwork network("network", domain, parameters, messages);
    NetworkBench bench(domain, network, messages);
    bench.send(0, 2, 16, 10);  // 8 flits through one copy of the network
    bench.send(0, 1, 8, 10);   // 4 flits through the other copy
    domain.run_until(kRunEnd);
    std::map<std::string, std::int64_t> flits;
    for (const auto& [channel, count] : counts_by_name(network, domain.now())) {
        if (count.sent != hw::Flits(0)) {
            flits[channel] = count.sent.count();
        }
    }
    EXPECT_THAT(flits, UnorderedElementsAre(Pair("(0,0) +x", 12), Pair("(1,0) +x", 8),
                                            Pair("node 0 injection", 12), Pair("(1,0) ejection", 4),
                                            Pair("(2,0) ejection", 8)));
}

// --- What can't be ------------------------------------------------------------------------------

std::string refusal_of(const Settings& settings) {
    NetworkParameters parameters;
    testing::set_all(parameters, settings);
    const auto fault = parameters.check();
    return fault ? fault->key + " " + hw::text_of(*fault) : "";
}

TEST(NetworkParametersTest, WhatCantBeIsRefused) {
    EXPECT_EQ(refusal_of({}), "");
    EXPECT_THAT(refusal_of({{"topology", text("hypercube")}, {"dimensions", List{3, 4}}}),
                Names("dimensions", "12", "hypercube", "power", "2"));
    EXPECT_THAT(refusal_of({{"topology", text("butterfly")}, {"arity", std::int64_t{4}}}),
                Names("dimensions", "32", "butterfly", "4"));
    EXPECT_THAT(refusal_of({{"topology", text("graph")}}), Names("graph_file", "missing"));
    EXPECT_THAT(refusal_of({{"routing", text("e_cube")}}),
                Names("routing", "hypercube", "\"default\""));
    EXPECT_THAT(refusal_of({{"routing_order", List{0, 0}}}),
                Names("routing_order", "2", "dimensions"));
    EXPECT_THAT(refusal_of({{"topology", text("torus")}, {"virtual_channels", std::int64_t{3}}}),
                Names("virtual_channels", "odd"));
    EXPECT_EQ(refusal_of({{"topology", text("torus")}, {"virtual_channels", std::int64_t{1}}}), "");
    EXPECT_THAT(refusal_of({{"topology", text("torus")},
                            {"routing", text("minimal_adaptive")},
                            {"virtual_channels", std::int64_t{2}}}),
                Names("virtual_channels", "2", "escape", "0", "3"));
    EXPECT_THAT(refusal_of({{"channel_bits_per_cycle", std::int64_t{17}}}),
                Names("channel_bits_per_cycle", "16"));
}

// Graphs in which a node has two channels out, two channels in, or both.
TEST(NetworkPlanTest, ANodeWithMoreThanAChannelEachWayIsRefused) {
    const std::string path = ::testing::TempDir() + "two_channels.dot";
    NetworkParameters parameters;
    ASSERT_TRUE(parameters.find("topology")->set(text("graph")));
    ASSERT_TRUE(parameters.find("graph_file")->set(path));
    for (const auto& [edges, found] :
         {std::pair{"a -> s; s -> a; a -> t; t -> a;", Names("node a", "2", "2")},
          std::pair{"a -> s; s -> a; t -> a;", Names("node a", "1", "2")},
          std::pair{"a -> s; s -> a; a -> t;", Names("node a", "2", "1")}}) {
        std::ofstream(path) << R"(digraph { a [kind="node"]; b [kind="node"]; s [kind=switch];
                               t [kind=switch]; s -> t; t -> s; b -> t; t -> b; )"
                            << edges << " }";
        try {
            const NetworkPlan plan(parameters, no_faults(), 1);
            ADD_FAILURE() << edges;
        } catch (const PlanFault& fault) {
            EXPECT_THAT(fault.what(), found);
        }
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace weir::network
