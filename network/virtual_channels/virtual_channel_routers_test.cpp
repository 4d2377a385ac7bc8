#include "network/virtual_channels/virtual_channel_routers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"
#include "network/routed_network.h"
#include "network/testing/burst_ends.h"
#include "network/testing/fabric_ends.h"
#include "network/testing/network_bench.h"
#include "network/testing/random_network.h"
#include "network/testing/settings.h"

namespace weir::network {
namespace {

using testing::Comparison;
using testing::kLastCycle;
using ::testing::StartsWith;
using weir::testing::Names;

constexpr testing::RandomKind kKind = testing::RandomKind::kRouted;

class VirtualChannelRoutersTest : public ::testing::TestWithParam<int> {};

constexpr int kNetworksABatch = 50;

// All batches together: 800 networks, each emulated twice.
TEST_P(VirtualChannelRoutersTest, AreTheSameForEverybody) {
    hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
    Comparison comparison(clock, kKind, static_cast<std::uint64_t>(GetParam()) * kNetworksABatch,
                          kNetworksABatch);
    comparison.run();
    EXPECT_EQ(comparison.first_difference, "")
        << comparison.different_seeds.size() << " networks differ";
    EXPECT_GT(comparison.stops(), 5 * kNetworksABatch);
}

INSTANTIATE_TEST_SUITE_P(Batches, VirtualChannelRoutersTest, ::testing::Range(0, 16));

TEST(VirtualChannelRoutersOrderTest, TellTheSameStoryInEveryOrder) {
    testing::expect_same_story_in_every_order(kKind);
}

TEST(VirtualChannelRoutersEndTest, StandStillWhereRoutersByThemselvesWould) {
    testing::expect_same_standstills(kKind);
}

TEST(VirtualChannelRoutersEndTest, AreCutAtACycleWhereRoutersByThemselvesWouldBe) {
    testing::expect_same_cuts(kKind);
}

// Each of four messages holds a channel of the ring, and waits for the next message's channel.
std::string told_of_deadlock(bool flit_by_flit) {
    return hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        testing::set_all(parameters, {{"topology", testing::text("torus")},
                                      {"dimensions", testing::List{4}},
                                      {"virtual_channels", std::int64_t{1}},
                                      {"ring_ties", testing::text("up")},
                                      {"flit_by_flit", flit_by_flit}});
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        RoutedNetwork network("network", clock.first(), parameters, messages);
        testing::NetworkBench bench(clock.first(), network, messages);
        for (std::int32_t node = 0; node < 4; ++node) {
            bench.send(node, (node + 2) % 4, 200, 10);
        }
        clock.run_until(kLastCycle);
        std::ostringstream text;
        text << "arrived: " << bench.arrived() << ", cycle " << clock.now() << ", "
             << network.flits_in_flight() << " in flight\n"
             << bench.text();
        hw::WaitReport waits;
        network.report_waits(waits, {});
        for (const hw::Wait& wait : waits) {
            text << wait.who << " for " << wait.for_whom << ": " << wait.why << '\n';
        }
        return text.str();
    });
}

TEST(VirtualChannelRoutersEndTest, ADeadlockIsInTheSameCycleAndHasTheSameWaits) {
    const std::string found = told_of_deadlock(false);
    EXPECT_THAT(found, StartsWith("arrived: 0, cycle "));
    EXPECT_THAT(found, Names("node 2", "(1) +x", "holds"));
    EXPECT_EQ(found, told_of_deadlock(true));
}

// State of a network after each cycle, one line per cycle.
std::vector<std::string> lines_of_cycles(bool flit_by_flit, const testing::Settings& settings,
                                         std::int64_t most_bytes, std::uint64_t seed) {
    const std::string text = hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        testing::set_all(parameters, settings);
        testing::set_all(parameters, {{"flit_by_flit", flit_by_flit}});
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        RoutedNetwork network("network", clock.first(), parameters, messages);
        testing::NetworkBench bench(clock.first(), network, messages);
        bench.send_at_random(seed, 6, most_bytes, 40);
        std::ostringstream lines;
        for (hw::Cycles now(1); now < hw::Cycles(500); now += hw::Cycles(1)) {
            clock.run_until(now);
            std::string times = bench.text(now);
            std::replace(times.begin(), times.end(), '\n', ';');
            lines << "cycle " << clock.now() << ": " << bench.headers_told() << " headers; "
                  << network.flit_hops() << " flit-hops; " << times;
            for (const auto& [name, count] : testing::counts_by_name(network, now)) {
                lines << " " << name << " " << count.sent << " " << count.header_waits << ";";
            }
            hw::WaitReport waits;
            // report_waits() settles the network, which must not change later results
            if (seed % 2 == 0) {
                network.report_waits(waits, {});
            }
            std::vector<std::string> reported;
            for (const hw::Wait& wait : waits) {
                reported.push_back(wait.who + " for " + wait.for_whom + ": " + wait.why);
            }
            std::sort(reported.begin(), reported.end());
            for (const std::string& wait : reported) {
                lines << " " << wait << ";";
            }
            lines << '\n';
        }
        return lines.str();
    });
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
        lines.push_back(line);
    }
    return lines;
}

// Networks with different delays, some with buffers that hold a whole message.
std::vector<testing::Settings> networks_that_are_compared() {
    return {
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{4, 3}},
         {"virtual_channels", std::int64_t{2}},
         {"buffer_flits", std::int64_t{6}},
         {"hop_cycles", std::int64_t{2}},
         {"routing_cycles", std::int64_t{1}},
         {"vc_allocation_cycles", std::int64_t{1}},
         {"credit_cycles", std::int64_t{2}}},
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{4, 2}},
         {"virtual_channels", std::int64_t{4}},
         {"buffer_flits", std::int64_t{20}},
         {"credit_cycles", std::int64_t{9}},
         {"ejection_cycles", std::int64_t{3}}},
        {{"topology", testing::text("torus")},
         {"dimensions", testing::List{6}},
         {"buffer_flits", std::int64_t{12}},
         {"hop_cycles", std::int64_t{5}},
         {"injection_cycles", std::int64_t{4}}},
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{5, 2}},
         {"virtual_channels", std::int64_t{2}},
         {"buffer_flits", std::int64_t{5}},
         {"hop_cycles", std::int64_t{3}},
         {"credit_cycles", std::int64_t{5}},
         {"ejection_cycles", std::int64_t{2}}},
        // networks whose outputs need room before they are given to a message
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{4, 3}},
         {"routing", testing::text("minimal_adaptive")},
         {"virtual_channels", std::int64_t{3}},
         {"buffer_flits", std::int64_t{6}},
         {"hop_cycles", std::int64_t{2}},
         {"routing_cycles", std::int64_t{1}},
         {"vc_allocation_cycles", std::int64_t{1}},
         {"credit_cycles", std::int64_t{2}}},
        {{"topology", testing::text("torus")},
         {"dimensions", testing::List{4, 3}},
         {"vc_reallocation", testing::text("whole_message")},
         {"virtual_channels", std::int64_t{2}},
         {"buffer_flits", std::int64_t{30}},
         {"credit_cycles", std::int64_t{6}}},
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{5, 2}},
         {"vc_reallocation", testing::text("tail_credit")},
         {"virtual_channels", std::int64_t{2}},
         {"buffer_flits", std::int64_t{8}},
         {"credit_cycles", std::int64_t{3}},
         {"ejection_cycles", std::int64_t{4}}},
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{4, 2}},
         {"switching", testing::text("virtual_cut_through")},
         {"virtual_channels", std::int64_t{2}},
         {"buffer_flits", std::int64_t{80}},
         {"credit_cycles", std::int64_t{4}}},
    };
}

class VirtualChannelRoutersCyclesTest
    : public ::testing::TestWithParam<std::tuple<std::size_t, std::uint64_t>> {};

// Compares networks in which worms meet while their flits move in stretches.
TEST_P(VirtualChannelRoutersCyclesTest, LookTheSameAfterEachCycle) {
    const auto [network, seed] = GetParam();
    const testing::Settings settings = networks_that_are_compared().at(network);
    for (const std::int64_t most_bytes : {24, 150}) {
        const auto by_flits = lines_of_cycles(true, settings, most_bytes, seed);
        const auto by_vcs = lines_of_cycles(false, settings, most_bytes, seed);
        ASSERT_EQ(by_flits.size(), 499U);
        const auto [one, other] =
            std::mismatch(by_flits.begin(), by_flits.end(), by_vcs.begin(), by_vcs.end());
        ASSERT_EQ(one, by_flits.end()) << *one << '\n' << *other;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, VirtualChannelRoutersCyclesTest,
    ::testing::Combine(::testing::Range<std::size_t>(0, networks_that_are_compared().size()),
                       ::testing::Range<std::uint64_t>(1, 6)),
    [](const auto& test) {
        return "network" + std::to_string(std::get<0>(test.param)) + "_seed" +
               std::to_string(std::get<1>(test.param));
    });

// Last cycle of a network with half a flit. A flit takes two bytes, of which only one is put into
// the output queue, in cycle 0.
std::int64_t last_cycle_of_half_a_flit(bool flit_by_flit) {
    return std::stoll(hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        testing::set_all(parameters, {{"topology", testing::text("torus")},
                                      {"dimensions", testing::List{4}},
                                      {"flit_by_flit", flit_by_flit}});
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        RoutedNetwork network("network", clock.first(), parameters, messages);
        const testing::Pace a_byte{hw::Bytes(1)};
        testing::EndNode node(clock.first(), messages, hw::NodeId(0), hw::Bytes(64), hw::Bytes(64),
                              a_byte, a_byte, 1);
        network.interface(hw::NodeId(0))
            .attach(node.output_queue, node.input_queue, [](hw::Message&, hw::Cycles) {});
        node.source.dies = node.sink.dies = hw::Cycles(1);
        const hw::MessageSlot message = messages.allocate();
        messages[message].bytes = hw::Bytes(2);
        node.source.send(message);
        clock.run_until(kLastCycle);
        return std::to_string(clock.now().count());
    }));
}

// The interface also ticks in the cycle after the byte was visible, as all parts that wait for
// bytes do.
TEST(VirtualChannelRoutersEndTest, AFlitWithoutAllItsBytesIsLookedForTwice) {
    EXPECT_EQ(last_cycle_of_half_a_flit(false), 2);
    EXPECT_EQ(last_cycle_of_half_a_flit(true), 2);
}

// --- Between ends that have channels, as traffic without a machine has --------------------------

// Random packets, some to nodes that accept nothing for a time.
std::string packets_through(bool in_one_part, const testing::Settings& settings,
                            std::uint64_t seed) {
    return hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        testing::set_all(parameters, settings);
        const NetworkPlan plan(parameters);
        Fabric::Design design = plan.design();
        design.in_one_part = in_one_part;
        design.injection_vcs = design.ejection_vcs = plan.routing().virtual_channels();
        hw::ClockDomain clock("clock", hw::ClockDomainParameters());
        testing::FabricBench bench(clock, plan.routing(), design);
        bench.end(1).deaf_until = hw::Cycles(300);
        bench.send_at_random(seed, 12, 20, 15);
        bench.run();
        std::ostringstream text;
        text << bench.text() << bench.arrived() << " of " << bench.sent() << " in cycle "
             << clock.now() << ", " << bench.fabric.flit_hops() << " flit-hops, "
             << bench.fabric.flits_in_flight() << " in flight";
        for (const ChannelCount& count : bench.fabric.channel_counts(clock.now())) {
            text << "; " << count.sent << ", " << count.header_waits;
        }
        return text.str();
    });
}

TEST(VirtualChannelRoutersChannelsTest, PacketsArriveWhenRoutersByThemselvesDeliverThem) {
    const std::vector<testing::Settings> topologies{
        {{"topology", testing::text("mesh")},
         {"dimensions", testing::List{3, 3}},
         {"virtual_channels", std::int64_t{2}}},
        {{"topology", testing::text("torus")}, {"dimensions", testing::List{4, 4}}},
        {{"topology", testing::text("hypercube")}, {"dimensions", testing::List{2, 2, 2}}},
        {{"topology", testing::text("torus")},
         {"dimensions", testing::List{5}},
         {"routing", testing::text("minimal_adaptive")}},
    };
    const std::vector<testing::Settings> routers{
        {{"buffer_flits", std::int64_t{3}}},
        {{"buffer_flits", std::int64_t{8}},
         {"routing_cycles", std::int64_t{1}},
         {"vc_allocation_cycles", std::int64_t{1}},
         {"credit_cycles", std::int64_t{5}}},
        {{"buffer_flits", std::int64_t{25}}, {"switching", testing::text("virtual_cut_through")}},
        {{"buffer_flits", std::int64_t{25}}, {"switching", testing::text("store_and_forward")}},
        {{"buffer_flits", std::int64_t{6}}, {"vc_reallocation", testing::text("tail_credit")}},
    };
    std::uint64_t seed = 1;
    for (const testing::Settings& topology : topologies) {
        for (const testing::Settings& router : routers) {
            testing::Settings settings = topology;
            settings.insert(settings.end(), router.begin(), router.end());
            const std::string by_themselves = packets_through(false, settings, ++seed);
            ASSERT_THAT(by_themselves, Names("cycle"));
            ASSERT_EQ(packets_through(true, settings, seed), by_themselves) << "seed " << seed;
        }
    }
}

// --- Which routers it takes ---------------------------------------------------------------------

// "together" if the routers are emulated in one part, otherwise "apart".
std::string routers_of(const testing::Settings& settings) {
    return hw::testing::result_of_separate_run([=] {
        NetworkParameters parameters;
        testing::set_all(parameters, settings);
        hw::ClockTiles clock(hw::ClockDomainParameters(), 1, 1);
        hw::MessagePool messages;
        const RoutedNetwork network("network", clock.first(), parameters, messages);
        const Fabric& fabric = network.fabric(0);
        const bool in_one_part =
            std::any_of(fabric.links().begin(), fabric.links().end(),
                        [](const Fabric::Link& link) { return link.vcs.empty(); });
        return std::string(in_one_part ? "together" : "apart");
    });
}

TEST(VirtualChannelRoutersKindTest, AreThoseOfVirtualChannelsInTurnAFlitACycle) {
    const testing::Setting torus{"topology", testing::text("torus")};
    const auto with = [&torus](const char* parameter, const hw::ParameterValue& value) {
        return routers_of({torus, {parameter, value}});
    };
    EXPECT_EQ(with("virtual_channels", std::int64_t{4}), "together");
    EXPECT_EQ(with("hop_cycles", std::int64_t{64}), "together");
    EXPECT_EQ(with("hop_cycles", std::int64_t{65}), "apart");
    EXPECT_EQ(with("injection_cycles", std::int64_t{65}), "apart");
    EXPECT_EQ(with("ejection_cycles", std::int64_t{65}), "apart");
    EXPECT_EQ(with("routing_cycles", std::int64_t{65}), "apart");
    EXPECT_EQ(with("arbitration", testing::text("oldest")), "apart");
    EXPECT_EQ(with("arbitration", testing::text("skewed_round_robin")), "apart");
    EXPECT_EQ(with("allocator", testing::text("input_first")), "apart");
    EXPECT_EQ(with("output_binding", testing::text("header_sent")), "apart");
    EXPECT_EQ(with("output_binding", testing::text("first_come")), "apart");
    EXPECT_EQ(with("injection_buffer_flits", std::int64_t{8}), "apart");
    EXPECT_EQ(with("ejection_buffer_flits", std::int64_t{2}), "apart");
    EXPECT_EQ(with("ejection_buffer_flits", std::int64_t{4}), "together");
    EXPECT_EQ(with("injection_credit_cycles", std::int64_t{2}), "apart");
    EXPECT_EQ(with("channel_bits_per_cycle", std::int64_t{4}), "apart");
    EXPECT_EQ(with("router", testing::text("output_queued")), "apart");
    EXPECT_EQ(with("flit_by_flit", true), "apart");
    // A router of five ports may have 64 virtual channels, so 12 per port but not 14.
    EXPECT_EQ(with("virtual_channels", std::int64_t{12}), "together");
    EXPECT_EQ(with("virtual_channels", std::int64_t{14}), "apart");
}

WEIR_TESTS_COST("VirtualChannelRoutersOrderTest", 8, 74);

}  // namespace
}  // namespace weir::network
