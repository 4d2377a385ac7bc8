#include "network/traffic/packet_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "network/topology/lattice.h"

namespace weir::network {
namespace {

struct SourceBench {
    SourceBench(double load, std::int64_t flits, const std::string& kind = "bernoulli") {
        EXPECT_TRUE(parameters.load.set(load));
        EXPECT_TRUE(parameters.packet_flits.set(flits));
        EXPECT_TRUE(parameters.source.set(kind));
    }
    /// All packets of a node before a cycle.
    [[nodiscard]] std::vector<GeneratedPacket> packets(std::int64_t before, int node = 0,
                                                       std::uint64_t seed = 1) const {
        const auto pattern = make_pattern(parameters, mesh_topology({4, 4}));
        RandomPacketSource source(parameters, *pattern, hw::NodeId(node), seed);
        std::vector<GeneratedPacket> found;
        for (auto packet = source.next(); packet->cycle < hw::Cycles(before);
             packet = source.next()) {
            found.push_back(*packet);
        }
        return found;
    }
    TrafficParameters parameters;
};

TEST(PacketSourceTest, RefusesBurstsThatDoNotExceedTheLoad) {
    SourceBench bench(0.5, 4, "bursty");
    ASSERT_TRUE(bench.parameters.burst_load.set(0.5));
    EXPECT_THROW(static_cast<void>(bench.packets(100)), TrafficFault);
    ASSERT_TRUE(bench.parameters.burst_load.set(0.4));
    EXPECT_THROW(static_cast<void>(bench.packets(100)), TrafficFault);
}

// A packet in a cycle with probability p: mean n p, variance n p (1 - p).
TEST(PacketSourceTest, BernoulliPacketsHaveTheirRateAndItsVariance) {
    constexpr std::int64_t kCycles = 1'000'000;
    for (const double load : {0.01, 0.2, 1.0}) {
        for (const std::int64_t flits : {1, 8}) {
            const double p = load / static_cast<double>(flits);
            const auto found =
                static_cast<double>(SourceBench(load, flits).packets(kCycles).size());
            EXPECT_NEAR(found, kCycles * p, 4.0 * std::sqrt(kCycles * p * (1.0 - p)) + 1e-6)
                << load << " of " << flits;
        }
    }
}

TEST(PacketSourceTest, GapsOfBernoulliPacketsAreGeometric) {
    const std::vector<GeneratedPacket> packets = SourceBench(0.4, 2).packets(1'000'000);
    std::vector<int> gaps(6, 0);
    for (std::size_t i = 1; i < packets.size(); ++i) {
        const std::int64_t gap = (packets[i].cycle - packets[i - 1].cycle).count();
        ASSERT_GE(gap, 1);
        ++gaps[static_cast<std::size_t>(std::min<std::int64_t>(gap, 6)) - 1];
    }
    const auto count = static_cast<double>(packets.size() - 1);
    for (int gap = 1; gap < 6; ++gap) {
        const double p = 0.2 * std::pow(0.8, gap - 1);
        EXPECT_NEAR(gaps[static_cast<std::size_t>(gap - 1)], count * p,
                    4.0 * std::sqrt(count * p * (1.0 - p)));
    }
}

TEST(PacketSourceTest, AtFullLoadSingleFlitsComeInEveryCycle) {
    const std::vector<GeneratedPacket> packets = SourceBench(1.0, 1).packets(1'000);
    ASSERT_EQ(packets.size(), 1'000U);
    EXPECT_EQ(packets.front().cycle, hw::Cycles(0));
    EXPECT_EQ(packets.back().cycle, hw::Cycles(999));
}

// The share of time in bursts is load / burst load, so the mean load is right, too.
TEST(PacketSourceTest, BurstyPacketsHaveTheSameRateInTheLong) {
    SourceBench bench(0.1, 4, "bursty");
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{200}));
    ASSERT_TRUE(bench.parameters.burst_load.set(0.8));
    ASSERT_FALSE(bench.parameters.check().has_value());
    constexpr std::int64_t kCycles = 10'000'000;
    const auto found = static_cast<double>(bench.packets(kCycles).size());
    // Bursts come every 1,600 cycles: 6,250 bursts of 40 packets, both about geometric.
    EXPECT_NEAR(found, kCycles * 0.1 / 4, 4.0 * 40.0 * std::sqrt(2.0 * 6'250.0));
}

// In windows as long as a burst, counts of bursty traffic vary far more than Bernoulli's.
TEST(PacketSourceTest, BurstyPacketsComeInBursts) {
    const auto variance_to_mean = [](const std::vector<GeneratedPacket>& packets) {
        std::vector<double> counts(1'000, 0.0);
        for (const GeneratedPacket& packet : packets) {
            counts[static_cast<std::size_t>(packet.cycle.count() / 200)] += 1.0;
        }
        double mean = 0.0;
        double squares = 0.0;
        for (const double count : counts) {
            mean += count / 1'000.0;
            squares += count * count / 1'000.0;
        }
        return (squares - mean * mean) / mean;
    };
    SourceBench bursty(0.1, 1, "bursty");
    ASSERT_TRUE(bursty.parameters.burst_cycles.set(std::int64_t{200}));
    EXPECT_GT(variance_to_mean(bursty.packets(200'000)), 30.0);
    EXPECT_NEAR(variance_to_mean(SourceBench(0.1, 1).packets(200'000)), 0.9, 0.2);
}

// The number of nodes in a burst is the same at the start as in any other cycle.
TEST(PacketSourceTest, BurstyNodesAreAsBusyAtTheStartAsLater) {
    SourceBench bench(0.1, 1, "bursty");
    ASSERT_TRUE(bench.parameters.burst_load.set(0.5));
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{1'000}));
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
        found += bench.packets(10, 0, seed).size();
    }
    // A fifth of the nodes send 5 packets.
    EXPECT_NEAR(static_cast<double>(found), 2'000.0, 4.0 * 5.0 * std::sqrt(2'000.0 * 0.2 * 0.8));
}

// Within a burst of load 1 a flit comes in each cycle, so a burst is a run of flits.
TEST(PacketSourceTest, BurstsHaveTheirMeanLength) {
    SourceBench bench(0.25, 1, "bursty");
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{50}));
    const std::vector<GeneratedPacket> packets = bench.packets(4'000'000);
    std::size_t bursts = 1;
    for (std::size_t i = 1; i < packets.size(); ++i) {
        bursts += packets[i].cycle - packets[i - 1].cycle > hw::Cycles(1) ? 1 : 0;
    }
    const double mean = static_cast<double>(packets.size()) / static_cast<double>(bursts);
    // The mean is over about 20,000 bursts. Silence lasts at least a cycle, so that bursts do not
    // merge.
    EXPECT_NEAR(mean, 50.0, 4.0 * 50.0 / std::sqrt(20'000.0));
}

TEST(PacketSourceTest, NodesAndSeedsDrawApart) {
    const SourceBench bench(0.2, 8);
    EXPECT_EQ(bench.packets(10'000, 3, 7), bench.packets(10'000, 3, 7));
    EXPECT_NE(bench.packets(10'000, 3, 7), bench.packets(10'000, 4, 7));
    EXPECT_NE(bench.packets(10'000, 3, 7), bench.packets(10'000, 3, 8));
}

// Generation times do not depend on destinations.
TEST(PacketSourceTest, TimesAndDestinationsAreDrawnApart) {
    SourceBench uniform(0.2, 8);
    SourceBench transpose(0.2, 8);
    ASSERT_TRUE(transpose.parameters.pattern.set(std::string("transpose")));
    const auto of_uniform = uniform.packets(10'000, 3);
    const auto of_transpose = transpose.packets(10'000, 3);
    ASSERT_EQ(of_uniform.size(), of_transpose.size());
    for (std::size_t i = 0; i < of_uniform.size(); ++i) {
        EXPECT_EQ(of_uniform[i].cycle, of_transpose[i].cycle);
    }
}

TEST(PacketSourceTest, BurstsThatCannotMakeTheLoadAreRefused) {
    SourceBench bench(0.5, 4, "bursty");
    ASSERT_TRUE(bench.parameters.burst_load.set(0.5));
    EXPECT_EQ(bench.parameters.check()->key, "burst_load");
    ASSERT_TRUE(bench.parameters.burst_load.set(0.51));
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{40}));
    EXPECT_EQ(bench.parameters.check()->key, "burst_cycles");
    ASSERT_TRUE(bench.parameters.burst_load.set(1.0));
    EXPECT_FALSE(bench.parameters.check().has_value());
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{3}));
    EXPECT_EQ(bench.parameters.check()->key, "burst_cycles");
    // A packet of 4 flits takes 5 cycles at 0.8.
    ASSERT_TRUE(bench.parameters.burst_load.set(0.8));
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{4}));
    EXPECT_EQ(bench.parameters.check()->key, "burst_cycles");
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{5}));
    EXPECT_FALSE(bench.parameters.check().has_value());
    // 40 cycles at 0.52 leave 1.6 cycles of silence.
    ASSERT_TRUE(bench.parameters.burst_cycles.set(std::int64_t{40}));
    ASSERT_TRUE(bench.parameters.burst_load.set(0.52));
    EXPECT_FALSE(bench.parameters.check().has_value());
}

}  // namespace
}  // namespace weir::network
