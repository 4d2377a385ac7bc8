#include "network/traffic/open_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/every_order.h"
#include "network/routing/routing.h"
#include "network/topology/lattice.h"
#include "network/topology/metrics.h"
#include "network/traffic/traffic_sources.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using hw::NodeId;
using ::testing::Each;
using ::testing::Not;

constexpr std::int64_t kInjection = 2;
constexpr std::int64_t kHop = 3;
constexpr std::int64_t kEjection = 4;

Fabric::Design uneven_design() {
    Fabric::Design design;
    design.injection_cycles = Cycles(kInjection);
    design.hop_cycles = Cycles(kHop);
    design.ejection_cycles = Cycles(kEjection);
    return design;
}

// Traffic on a 4 x 4 mesh.
struct OpenLoopBench {
    explicit OpenLoopBench(ClockDomain& clock, Fabric::Design design = {}, int copies = 1)
        : domain(clock), network("fabric", clock, *routing, design) {
        while (more_copies.size() + 1 < static_cast<std::size_t>(copies)) {
            const std::string name = "fabric_copy_" + std::to_string(more_copies.size() + 1);
            more_copies.emplace_back(name, clock, *routing, design);
        }
        EXPECT_TRUE(parameters.warm_up_cycles.set(std::int64_t{500}));
        EXPECT_TRUE(parameters.measurement_cycles.set(std::int64_t{2'000}));
    }
    void load(double load, std::int64_t packet_flits = 4) {
        EXPECT_TRUE(parameters.load.set(load));
        EXPECT_TRUE(parameters.packet_flits.set(packet_flits));
    }
    TrafficResult run(std::uint64_t seed = 1) {
        const TrafficSources sources(parameters, mesh, hw::Bytes(2));
        traffic = std::make_unique<OpenLoop>(domain, networks(), parameters,
                                             [&](NodeId node) { return sources.make(node, seed); });
        return traffic->run({});
    }
    /// Runs the network with the packets given for each node.
    TrafficResult run(std::map<int, std::vector<GeneratedPacket>> packets) {
        traffic = std::make_unique<OpenLoop>(domain, networks(), parameters, [&](NodeId node) {
            return std::make_unique<RecordedPacketSource>(packets[node.index()]);
        });
        return traffic->run({});
    }
    [[nodiscard]] std::vector<PacketNetwork*> networks() {
        std::vector<PacketNetwork*> all{&network};
        for (FabricPacketNetwork& copy : more_copies) {
            all.push_back(&copy);
        }
        return all;
    }
    [[nodiscard]] const CycleHistogram& latencies() const {
        return traffic->record().from_generation();
    }

    Topology mesh = mesh_topology({4, 4});
    std::unique_ptr<Routing> routing = dimension_order_routing(mesh, {0, 1});
    ClockDomain& domain;
    TrafficParameters parameters;
    FabricPacketNetwork network;
    std::deque<FabricPacketNetwork> more_copies;
    std::unique_ptr<OpenLoop> traffic;
};

class OpenLoopTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
};

// One packet at a time, from each node to each node. A packet's latency is that of injection, hops
// and ejection, and a cycle for each flit after the header.
TEST_F(OpenLoopTest, ZeroLoadLatencyIsTheClosedForm) {
    constexpr std::int64_t kFlits = 5;
    OpenLoopBench bench(domain, uneven_design());
    std::map<int, std::vector<GeneratedPacket>> packets;
    CycleHistogram expected;
    std::int64_t hops_of_all = 0;
    std::int64_t cycle = 0;
    for (int source = 0; source < 16; ++source) {
        const std::vector<std::int32_t> hops =
            hops_from(bench.mesh, static_cast<std::size_t>(source));
        for (int destination = 0; destination < 16; ++destination) {
            packets[source].push_back({Cycles(cycle), destination, Flits(kFlits)});
            cycle += 100;
            const std::int64_t count = hops[static_cast<std::size_t>(destination)];
            expected.add(kInjection + count * kHop + kEjection + kFlits - 1);
            hops_of_all += count;
        }
    }
    ASSERT_TRUE(bench.parameters.warm_up_cycles.set(std::int64_t{0}));
    ASSERT_TRUE(bench.parameters.measurement_cycles.set(cycle));
    const TrafficResult result = bench.run(packets);
    EXPECT_EQ(result.end, TrafficEnd::kDrained);
    EXPECT_EQ(result.packets_measured, 256);
    EXPECT_EQ(bench.latencies().sum(), expected.sum());
    for (int percent = 1; percent <= 100; ++percent) {
        EXPECT_EQ(bench.latencies().percentile(percent), expected.percentile(percent)) << percent;
    }
    EXPECT_EQ(bench.traffic->record().from_injection().sum(), expected.sum());
    EXPECT_DOUBLE_EQ(result.mean_hops.value(), static_cast<double>(hops_of_all) / 256.0);
    EXPECT_DOUBLE_EQ(result.offered_load, 256.0 * kFlits / 16.0 / static_cast<double>(cycle));
    EXPECT_DOUBLE_EQ(result.accepted_load, result.offered_load);
}

// Each node's packets use the copies in turn. Two of four simultaneous packets
// leave in the same cycle, and the other two after them.
TEST_F(OpenLoopTest, PacketsTakeTheCopiesInTurn) {
    OpenLoopBench bench(domain, uneven_design(), 2);
    const GeneratedPacket packet{Cycles(600), 1, Flits(5)};
    const TrafficResult result = bench.run({{0, {packet, packet, packet, packet}}});
    constexpr std::int64_t kTail = kInjection + kHop + kEjection + 4;
    EXPECT_EQ(bench.latencies().least(), kTail);
    EXPECT_EQ(bench.latencies().largest(), kTail + 5);
    EXPECT_EQ(bench.latencies().sum(), 4 * kTail + 2 * 5);
    EXPECT_DOUBLE_EQ(result.mean_hops.value(), 1.0);
    EXPECT_DOUBLE_EQ(result.accepted_load, 4.0 * 5.0 / 16.0 / 2'000.0);
    for (const FabricPacketNetwork* copy : {&bench.network, &bench.more_copies.front()}) {
        EXPECT_EQ(copy->fabric().flit_hops(), 2 * 10)
            << "two packets, of five flits, through two routers";
    }
    // A channel of each copy carries half of the 20 flits, in 2,000 cycles.
    EXPECT_DOUBLE_EQ(
        *std::max_element(result.channel_utilisation.begin(), result.channel_utilisation.end()),
        20.0 / 2.0 / 2'000.0);
}

// A packet alone in the network takes equally long in each copy. Two copies carry twice the
// saturation throughput of one.
TEST(OpenLoopCopiesTest, TwoCopiesAreAsFastAndAcceptTwice) {
    struct Figures {
        double accepted = 0.0;
        std::int64_t least_cycles = 0;
    };
    const auto figures_of = [](double load, int copies) {
        std::istringstream text(hw::testing::result_of_separate_run([load, copies] {
            hw::ClockDomainParameters parameters;
            ClockDomain domain("clock", parameters);
            OpenLoopBench bench(domain, uneven_design(), copies);
            bench.load(load);
            EXPECT_TRUE(bench.parameters.drain_cycles.set(std::int64_t{300}));
            const TrafficResult result = bench.run();
            return std::to_string(result.accepted_load) + " " +
                   std::to_string(bench.latencies().least());
        }));
        Figures figures;
        text >> figures.accepted >> figures.least_cycles;
        return figures;
    };
    const Figures one = figures_of(1.0, 1);
    const Figures two = figures_of(2.0, 2);
    EXPECT_GT(one.accepted, 0.3);
    // Each copy carries other packets, so the rates vary by a few per cent.
    EXPECT_NEAR(two.accepted / one.accepted, 2.0, 0.06);
    EXPECT_EQ(figures_of(0.01, 1).least_cycles, figures_of(0.01, 2).least_cycles);
}

TEST_F(OpenLoopTest, AllMeasuredPacketsArrive) {
    OpenLoopBench bench(domain);
    bench.load(0.3);
    const TrafficResult result = bench.run();
    EXPECT_EQ(result.end, TrafficEnd::kDrained);
    EXPECT_EQ(result.packets_missing, 0);
    EXPECT_EQ(result.packets_measured, bench.latencies().count());
    // The expected number of packets of 4 flits is 2,400, with a standard deviation of 47.
    EXPECT_NEAR(result.offered_load, 0.3, 4.0 * 0.3 * 47.0 / 2'400.0);
    EXPECT_NEAR(result.accepted_load, result.offered_load, 0.01);
    EXPECT_GT(result.cycles, 2'500);
    EXPECT_LT(result.cycles, 2'700);
    EXPECT_EQ(bench.traffic->packets_in_network(), 0U);
    EXPECT_EQ(bench.network.flits_in_flight(), Flits(0));
}

TEST_F(OpenLoopTest, BeyondSaturationItSaysSo) {
    OpenLoopBench bench(domain);
    bench.load(1.0);
    ASSERT_TRUE(bench.parameters.drain_cycles.set(std::int64_t{300}));
    const TrafficResult result = bench.run();
    EXPECT_EQ(result.end, TrafficEnd::kSaturated);
    EXPECT_EQ(result.cycles, 2'800);
    EXPECT_GT(result.packets_missing, 0);
    EXPECT_EQ(result.packets_missing + bench.latencies().count(), result.packets_measured);
    EXPECT_LT(result.accepted_load, 0.95);
    EXPECT_GT(result.accepted_load, 0.4);
}

// Packets of the warm-up and of the drain keep the network busy, and are not measured.
TEST_F(OpenLoopTest, OnlyPacketsGeneratedInTheMeasurementCount) {
    OpenLoopBench bench(domain);
    const TrafficResult result = bench.run({{0,
                                             {{Cycles(499), 1, Flits(40)},
                                              {Cycles(500), 1, Flits(1)},
                                              {Cycles(2'499), 1, Flits(30)},
                                              {Cycles(2'500), 1, Flits(1)},
                                              {Cycles(2'540), 1, Flits(1)}}}});
    EXPECT_EQ(result.packets_measured, 2);
    EXPECT_EQ(bench.latencies().count(), 2);
    // The first measured packet waits 39 cycles for the packet before, and takes 3 channels of one
    // cycle each.
    EXPECT_EQ(bench.latencies().largest(), 39 + 3);
    EXPECT_EQ(bench.latencies().least(), 3 + 29);
    EXPECT_EQ(bench.traffic->record().from_injection().least(), 3);
    EXPECT_EQ(result.cycles, 2'499 + 3 + 29 + 1);
    // All 40 flits of the first packet and the second one's flit arrive in the measurement.
    EXPECT_DOUBLE_EQ(result.accepted_load, 41.0 / 16.0 / 2'000.0);
    EXPECT_DOUBLE_EQ(result.offered_load, 31.0 / 16.0 / 2'000.0);
    EXPECT_EQ(bench.traffic->record().packets_generated(), 4);
}

TEST_F(OpenLoopTest, ChannelUtilisationIsTheShareOfCyclesWithAFlit) {
    OpenLoopBench bench(domain);
    std::vector<GeneratedPacket> packets;
    for (int i = 0; i < 10; ++i) {
        packets.push_back({Cycles(600 + 100 * i), 5, Flits(8)});
    }
    const TrafficResult result = bench.run({{0, packets}});
    const std::vector<Channel> channels = channels_of(bench.mesh.graph());
    ASSERT_EQ(result.channel_utilisation.size(), channels.size());
    std::vector<std::string> used;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (result.channel_utilisation[i] > 0.0) {
            EXPECT_DOUBLE_EQ(result.channel_utilisation[i], 80.0 / 2'000.0);
            used.push_back(bench.mesh.channel_name(channels[i]));
        }
    }
    EXPECT_EQ(used.size(), 4U) << "injection, +x, +y, ejection";
    EXPECT_THAT(used, ::testing::Contains("(0,0) +x"));
    EXPECT_THAT(used, ::testing::Contains("(1,0) +y"));
    EXPECT_DOUBLE_EQ(result.mean_hops.value(), 2.0);
}

// Flits take 8 cycles on a link. A flit sent in the last cycle of the measurement counts 1 cycle.
// A flit sent 3 cycles
// before the measurement counts its remaining 5 cycles.
TEST_F(OpenLoopTest, AFlitCountsForTheCyclesThatItIsOnALink) {
    Fabric::Design narrow;
    narrow.router.flit_cycles = Cycles(8);
    OpenLoopBench bench(domain, narrow);
    const TrafficResult result =
        bench.run({{0, {{Cycles(497), 1, Flits(1)}, {Cycles(2'499), 1, Flits(1)}}},
                   {5, {{Cycles(1'000), 4, Flits(3)}, {Cycles(2'496), 4, Flits(1)}}}});
    std::map<std::string, double> cycles;
    const std::vector<Channel> channels = channels_of(bench.mesh.graph());
    for (std::size_t i = 0; i < channels.size(); ++i) {
        cycles[bench.mesh.channel_name(channels[i])] = 2'000.0 * result.channel_utilisation[i];
    }
    EXPECT_DOUBLE_EQ(cycles["node 0 injection"], 5.0 + 1.0);
    EXPECT_DOUBLE_EQ(cycles["node 5 injection"], 24.0 + 4.0);
    EXPECT_DOUBLE_EQ(cycles["(1,1) -x"], 24.0);
    EXPECT_DOUBLE_EQ(cycles["(1,0) ejection"], 8.0);
    EXPECT_DOUBLE_EQ(result.accepted_load, 4.0 / 16.0 / 2'000.0);
}

// A link that always has a flit is busy in all cycles, for each flit time and each begin and end of
// the measurement.
TEST(OpenLoopUtilisationTest, ABusyLinkIsBusyAllTheTime) {
    for (const std::int64_t flit_cycles : {1, 3, 8, 16}) {
        for (const std::int64_t measurement : {1, 5, 1'001}) {
            const std::string utilisations =
                hw::testing::result_of_separate_run([flit_cycles, measurement] {
                    hw::ClockDomainParameters parameters;
                    ClockDomain domain("clock", parameters);
                    Fabric::Design design;
                    design.router.flit_cycles = Cycles(flit_cycles);
                    OpenLoopBench bench(domain, design);
                    EXPECT_TRUE(bench.parameters.measurement_cycles.set(measurement));
                    const TrafficResult result = bench.run({{0, {{Cycles(0), 1, Flits(2'000)}}}});
                    return std::to_string(*std::max_element(result.channel_utilisation.begin(),
                                                            result.channel_utilisation.end()));
                });
            EXPECT_EQ(utilisations, std::to_string(1.0)) << flit_cycles << ", " << measurement;
        }
    }
}

// A torus without datelines, whose rings can deadlock.
TEST_F(OpenLoopTest, ADeadlockIsFound) {
    const Topology torus = torus_topology({4, 4});
    const auto routing =
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp});
    FabricPacketNetwork network("torus", domain, *routing, {});
    TrafficParameters parameters;
    ASSERT_TRUE(parameters.load.set(1.0));
    const TrafficSources sources(parameters, torus, hw::Bytes(2));
    OpenLoop traffic(domain, {&network}, parameters,
                     [&](NodeId node) { return sources.make(node, 1); });
    const TrafficResult result = traffic.run({.watchdog_cycles = Cycles(20'000)});
    EXPECT_TRUE(result.end == TrafficEnd::kDeadlock || result.end == TrafficEnd::kNoProgress);
    EXPECT_GT(traffic.packets_in_network(), 0U);
    EXPECT_FALSE(traffic.waits().empty());
}

// Planted fault: a part removes a flit from a channel.
class FlitThief final : public hw::ClockedPart {
  public:
    FlitThief(ClockDomain& domain, FlitChannel& channel, Cycles when)
        : ClockedPart(domain), channel_(channel) {
        wake_at(when);
    }
    void tick(Cycles now) override {
        if (!has_stolen_ && channel_.has_flit(now)) {
            channel_.take(now);
            has_stolen_ = true;
        } else if (!has_stolen_) {
            wake_at(now + Cycles(1));
        }
    }

  private:
    FlitChannel& channel_;
    bool has_stolen_ = false;
};

TEST_F(OpenLoopTest, ALostFlitIsNoticed) {
    // Shuffled order, so that the thief ticks first in some cycles.
    ASSERT_TRUE(clock_parameters.tick_order.set(std::string("shuffled")));
    ClockDomain shuffled("shuffled_clock", clock_parameters);
    OpenLoopBench bench(shuffled);
    bench.load(0.3);
    const FlitThief thief(shuffled,
                          *bench.network.fabric().interface_channels(NodeId(5)).ejection.front(),
                          Cycles(1'000));
    EXPECT_THROW(bench.run(), std::logic_error);
}

TEST_F(OpenLoopTest, TheCallerCanEndARun) {
    OpenLoopBench bench(domain);
    bench.load(0.3);
    ASSERT_TRUE(bench.parameters.measurement_cycles.set(std::int64_t{1'000'000}));
    const TrafficSources sources(bench.parameters, bench.mesh, hw::Bytes(2));
    OpenLoop traffic(domain, bench.networks(), bench.parameters,
                     [&](NodeId node) { return sources.make(node, 1); });
    int calls = 0;
    const TrafficResult result = traffic.run({.proceed = [&calls] { return ++calls < 3; }});
    EXPECT_EQ(result.end, TrafficEnd::kInterrupted);
    EXPECT_LT(domain.now(), Cycles(20'000));
}

// Progress counts up to the end of the measurement, since the drain's length is not known in
// advance.
TEST_F(OpenLoopTest, ProgressIsAShareOfOne) {
    OpenLoopBench bench(domain);
    bench.load(0.3);
    bench.run();
    EXPECT_GT(domain.now(), Cycles(2'500));
    EXPECT_EQ(bench.traffic->progress(), 1.0);
}

std::string all_of(const TrafficResult& result, const OpenLoop& traffic) {
    std::ostringstream text;
    const CycleHistogram& latencies = traffic.record().from_generation();
    text << static_cast<int>(result.end) << ' ' << result.cycles << ' ' << result.offered_load
         << ' ' << result.accepted_load << ' ' << result.packets_measured << ' '
         << result.packets_missing << ' ' << result.mean_hops.value() << ' '
         << traffic.record().packets_generated() << ' ' << traffic.record().from_injection().sum();
    for (int percent = 1; percent <= 100; ++percent) {
        text << ' ' << latencies.percentile(percent);
    }
    for (const double utilisation : result.channel_utilisation) {
        text << ' ' << utilisation;
    }
    return text.str();
}

TEST(OpenLoopSeedTest, ASeedGivesTheSameAndAnotherSeedAnother) {
    const auto of_seed = [](std::uint64_t seed) {
        return hw::testing::result_of_separate_run([seed] {
            hw::ClockDomainParameters parameters;
            ClockDomain domain("clock", parameters);
            OpenLoopBench bench(domain);
            bench.load(0.3);
            const TrafficResult result = bench.run(seed);
            return all_of(result, *bench.traffic);
        });
    };
    EXPECT_EQ(of_seed(2), of_seed(2));
    EXPECT_NE(of_seed(3), of_seed(2));
}

// Traffic below and beyond saturation, with one or several virtual channels and copies, and with
// bursts.
TEST(OpenLoopOrderTest, NoResultDependsOnTheTickOrderNorOnSleeping) {
    struct Case {
        double load;
        int vcs;
        const char* source;
        int copies = 1;
        bool interleave_packets = true;
    };
    for (const Case& tried : {Case{0.02, 1, "bernoulli"}, Case{0.3, 2, "bursty"},
                              Case{1.0, 3, "bernoulli"}, Case{0.8, 2, "bernoulli", 2, false}}) {
        const auto results = hw::testing::results_in_every_order([&](ClockDomain& domain) {
            Fabric::Design design;
            design.injection_vcs = tried.vcs;
            design.ejection_vcs = tried.vcs;
            OpenLoopBench bench(domain, design, tried.copies);
            bench.load(tried.load);
            EXPECT_TRUE(bench.parameters.interleave_packets.set(tried.interleave_packets));
            EXPECT_TRUE(bench.parameters.source.set(std::string(tried.source)));
            // separate statement: all_of() reads the traffic after the run
            const TrafficResult result = bench.run();
            return all_of(result, *bench.traffic);
        });
        EXPECT_THAT(results, Each(results.front())) << tried.load;
        EXPECT_THAT(results.front(), Not("failed"));
    }
}

}  // namespace
}  // namespace weir::network
