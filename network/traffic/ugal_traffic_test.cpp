#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/separate_run.h"
#include "hw/testing/test_cost.h"
#include "network/network_plan.h"
#include "network/routed_network.h"
#include "network/testing/network_bench.h"
#include "network/testing/settings.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/traffic_sources.h"

WEIR_TESTS_COST("UgalTrafficTest", 2, 14);

// Traffic on the dragonfly of 72 nodes of Kim et al. (2008), by UGAL and by its two routes alone.
namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::NodeId;
using ::testing::Each;
using testing::List;
using ::testing::Not;
using testing::text;

struct Tried {
    const char* routing = "ugal";
    const char* pattern = "uniform";
    double load = 0.3;
    std::int64_t threshold = 0;
    const char* router = "virtual_channel";
    std::int64_t cycles = 2'000;
};

struct Measured {
    TrafficEnd end = TrafficEnd::kInterrupted;
    double accepted = 0.0;
    double hops = 0.0;
    double latency = 0.0;  // mean
};

std::string run_in(ClockDomain& domain, const Tried& tried) {
    NetworkParameters parameters;
    testing::set_all(parameters, {{"topology", text("dragonfly")},
                                  {"dimensions", List{2, 4, 9}},
                                  {"routing", text(tried.routing)},
                                  {"router", text(tried.router)},
                                  {"buffer_flits", std::int64_t{16}}});
    if (tried.threshold > 0) {
        testing::set_all(parameters, {{"ugal_threshold_flits", tried.threshold}});
    }
    const NetworkPlan plan(parameters);
    EXPECT_TRUE(prove(plan.routing()).is_free_of_deadlock());
    Fabric::Design design = plan.design();
    design.injection_vcs = plan.routing().virtual_channels();
    design.ejection_vcs = plan.routing().virtual_channels();
    FabricPacketNetwork network("fabric", domain, plan.routing(), design);
    TrafficParameters traffic;
    testing::set_all(traffic, {{"pattern", text(tried.pattern)},
                               {"load", tried.load},
                               {"packet_flits", std::int64_t{4}},
                               {"warm_up_cycles", tried.cycles / 2},
                               {"measurement_cycles", tried.cycles},
                               {"drain_cycles", tried.cycles}});
    const TrafficSources sources(traffic, plan.topology(), hw::Bytes(2));
    OpenLoop run(domain, {&network}, traffic, [&](NodeId node) { return sources.make(node, 1); });
    const TrafficResult result = run.run({});
    std::ostringstream out;
    out.precision(17);
    out << static_cast<int>(result.end) << ' ' << result.accepted_load << ' '
        << result.mean_hops.value() << ' '
        << static_cast<double>(run.record().from_generation().sum()) /
               static_cast<double>(run.record().from_generation().count())
        << ' ' << run.record().from_injection().sum() << ' ' << result.cycles;
    for (const double utilisation : result.channel_utilisation) {
        out << ' ' << utilisation;
    }
    return out.str();
}

Measured measured(const Tried& tried) {
    std::istringstream in(hw::testing::result_of_separate_run([&] {
        hw::ClockDomainParameters clock;
        ClockDomain domain("clock", clock);
        return run_in(domain, tried);
    }));
    int end = 0;
    Measured read;
    in >> end >> read.accepted >> read.hops >> read.latency;
    read.end = static_cast<TrafficEnd>(end);
    return read;
}

// Each node sends to the next group, and each group has one channel to it for its 8 nodes.
TEST(UgalTrafficTest, WhereMinimalRoutingSaturatesItAcceptsAsMuchAsValiants) {
    constexpr double kLoad = 0.35;
    constexpr double kOneChannel = 1.0 / 8.0;
    const Measured minimal = measured({"default", "next_group", kLoad});
    const Measured ugal = measured({"ugal", "next_group", kLoad});
    const Measured valiant = measured({"valiant", "next_group", kLoad});
    EXPECT_EQ(minimal.end, TrafficEnd::kSaturated);
    EXPECT_LE(minimal.accepted, 1.01 * kOneChannel);
    EXPECT_GT(ugal.accepted, 2.5 * kOneChannel);
    // The tolerance covers the random node of Valiant's routing, which has another hop.
    EXPECT_GT(ugal.accepted, 0.95 * valiant.accepted);
    EXPECT_EQ(ugal.end, TrafficEnd::kDrained);
}

// Uniform traffic: routes are minimal while queues are empty, and mostly so at higher loads.
TEST(UgalTrafficTest, UniformTrafficTakesMinimalRoutes) {
    const Measured light = measured({"ugal", "uniform", 0.01});
    const Measured light_minimal = measured({"default", "uniform", 0.01});
    EXPECT_NEAR(light.hops, light_minimal.hops, 0.02 * light_minimal.hops);
    EXPECT_NEAR(light.latency, light_minimal.latency, 0.02 * light_minimal.latency);
    const Measured ugal = measured({"ugal", "uniform", 0.4});
    const Measured valiant = measured({"valiant", "uniform", 0.4});
    EXPECT_EQ(ugal.end, TrafficEnd::kDrained);
    EXPECT_LT(ugal.hops, 0.5 * (light_minimal.hops + valiant.hops));
    EXPECT_LT(ugal.latency, valiant.latency);
}

// With a threshold above any queue all routes are minimal, whatever the traffic.
TEST(UgalTrafficTest, AboveTheThresholdAloneAreOtherRoutes) {
    for (const char* pattern : {"uniform", "next_group"}) {
        const double hops = measured({"default", pattern, 0.1}).hops;
        EXPECT_DOUBLE_EQ(measured({"ugal", pattern, 0.1, 100'000}).hops, hops) << pattern;
        const double few = measured({"ugal", pattern, 0.1, 12}).hops;
        EXPECT_GE(few, hops);
        EXPECT_GT(measured({"ugal", pattern, 0.1, 0}).hops, few) << pattern;
    }
}

TEST(UgalTrafficTest, OutputQueuesCountAsQueues) {
    const Measured ugal = measured({"ugal", "next_group", 0.3, 0, "output_queued"});
    EXPECT_EQ(ugal.end, TrafficEnd::kDrained);
    EXPECT_GT(ugal.accepted, 0.29);
    EXPECT_EQ(measured({"default", "next_group", 0.3, 0, "output_queued"}).end,
              TrafficEnd::kSaturated);
}

TEST(UgalTrafficTest, NoResultDependsOnTheTickOrderNorOnSleeping) {
    for (const char* router : {"virtual_channel", "output_queued"}) {
        const auto results = hw::testing::results_in_every_order([&](ClockDomain& domain) {
            return run_in(domain, {"ugal", "next_group", 0.5, 0, router, 300});
        });
        EXPECT_THAT(results, Each(results.front())) << router;
        EXPECT_THAT(results.front(), Not("failed"));
    }
}

// Planted fault: credits that a receiver returns in this cycle are read by the sender.
TEST(UgalTrafficTest, AQueueHasTheStateOfTheBeginningOfTheCycle) {
    FlitChannel channel("channel", Cycles(2), hw::Flits(3), Cycles(4));
    hw::ClockDomainParameters clock;
    ClockDomain domain("clock_of_channel", clock);
    hw::testing::ScriptedPart part(domain);
    channel.connect(part, part);
    for (std::int64_t cycle = 1; cycle <= 3; ++cycle) {
        channel.send(Flit{}, Cycles(cycle));
    }
    EXPECT_EQ(channel.credits_used(Cycles(3)), hw::Flits(3));
    channel.take(Cycles(4));
    channel.take(Cycles(5));
    EXPECT_EQ(channel.credits_used(Cycles(5)), hw::Flits(3));
    EXPECT_EQ(channel.credits_used(Cycles(7)), hw::Flits(3));
    EXPECT_EQ(channel.credits_used(Cycles(8)), hw::Flits(2));
    EXPECT_EQ(channel.credits_used(Cycles(9)), hw::Flits(1));
    channel.take(Cycles(9));
    EXPECT_EQ(channel.credits_used(Cycles(12)), hw::Flits(1));
    EXPECT_EQ(channel.credits_used(Cycles(13)), hw::Flits(0));
    for (std::int64_t cycle = 20; cycle <= 22; ++cycle) {
        channel.send(Flit{}, Cycles(cycle));
    }
    EXPECT_EQ(channel.credits_used(Cycles(22)), hw::Flits(3)) << "slots have been filled again";
}

// A machine's message has the hops, and the unloaded time, of the route that its router chose.
TEST(UgalTrafficTest, AMessageHasTheTripOfItsChosenRoute) {
    const std::string found = hw::testing::result_of_separate_run([] {
        hw::ClockDomainParameters clock;
        ClockDomain domain("clock", clock);
        hw::MessagePool messages;
        NetworkParameters parameters;
        testing::set_all(parameters, {{"topology", text("dragonfly")},
                                      {"dimensions", List{2, 4, 9}},
                                      {"routing", text("ugal")},
                                      {"hop_cycles", std::int64_t{3}}});
        RoutedNetwork network("network", domain, parameters, messages);
        testing::NetworkBench bench(domain, network, messages);
        std::vector<hw::MessageSlot> all;
        for (int i = 0; i < 40; ++i) {
            all.push_back(bench.send(0, 71, 64, 10 + 20 * i));
        }
        const hw::MessageSlot late = bench.send(0, 71, 8, 20'000);
        domain.run_until(Cycles(30'000));
        std::set<std::int32_t> hops;
        for (const hw::MessageSlot slot : all) {
            const hw::Message& message = messages[slot];
            EXPECT_GE(message.times.header_arrival, message.times.network_entry + message.unloaded);
            hops.insert(message.hops);
        }
        const hw::Message& message = messages[late];
        EXPECT_EQ(message.times.header_arrival, Cycles(20'000) + message.unloaded);
        EXPECT_EQ(message.hops, 5) << "minimal, with the nodes' channels";
        EXPECT_GT(*hops.rbegin(), 5);
        return std::to_string(hops.size());
    });
    EXPECT_GE(std::stoi(found), 2);
}

}  // namespace
}  // namespace weir::network
