#include "network/traffic/traffic_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/topology/lattice.h"
#include "network/traffic/traffic_sources.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using hw::NodeId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using weir::testing::Names;

constexpr std::int64_t kCycles = 200'000;

std::vector<std::vector<TableRate>> read(const std::string& text) {
    std::istringstream file(text);
    return read_traffic_table(file, "t.txt", 4, 0.01);
}

std::string fault_of(const std::string& text) {
    try {
        static_cast<void>(read(text));
        return "no fault";
    } catch (const TrafficFault& fault) {
        return fault.what();
    }
}

// Packets of the lines of source 0 that begin before cycle kCycles.
std::vector<GeneratedPacket> packets(const std::string& text, std::uint64_t seed = 1) {
    TablePacketSource source(read(text)[0], Flits(8), NodeId(0), seed);
    std::vector<GeneratedPacket> all;
    for (auto packet = source.next(); packet && packet->cycle < Cycles(kCycles);
         packet = source.next()) {
        all.push_back(*packet);
    }
    return all;
}

// A count of independent events is within five standard deviations of its mean.
void expect_count(std::size_t count, double mean) {
    EXPECT_NEAR(static_cast<double>(count), mean, 5.0 * std::sqrt(mean));
}

TEST(TrafficTableTest, ReadsLinesOfTwoToSevenNumbers) {
    const auto rates = read(
        "% Noxim's comments\nsource destination pir\n0 3\n0, 1, +0.2  # and others\n"
        "2 1 0.1 0.5\n\n2 0 1e-2 0.3 100 200 1000\r\n2 2 0.1 0.1 5\n");
    ASSERT_EQ(rates.size(), 4U);
    EXPECT_THAT(rates[1], IsEmpty());
    ASSERT_EQ(rates[0].size(), 2U);
    EXPECT_EQ(rates[0][0].destination, 3);
    EXPECT_EQ(rates[0][0].rate, 0.01) << "the default rate";
    EXPECT_EQ(rates[0][1].rate, 0.2);
    EXPECT_EQ(rates[0][1].rate_after_packet, 0.2) << "as the rate";
    ASSERT_EQ(rates[2].size(), 3U);
    EXPECT_EQ(rates[2][0].rate_after_packet, 0.5);
    EXPECT_EQ(rates[2][1], (TableRate{0, 0.01, 0.3, 100, 200, 1000}));
    EXPECT_EQ(rates[2][2].begin, 5);
    EXPECT_GT(rates[2][2].end, 1'000'000'000'000);
}

TEST(TrafficTableTest, FaultsHaveTheirLine) {
    EXPECT_THAT(fault_of("0 1 0.1\n0\n"), Names("t.txt:2", "1 field", "source", "t_period"));
    EXPECT_THAT(fault_of("0 1 .1 .1 1 2 3 4\n"), Names("t.txt:1", "8 fields"));
    EXPECT_THAT(fault_of("4 1\n"), Names("t.txt:1", "source", "\"4\"", "0", "3"));
    EXPECT_THAT(fault_of("1 -1\n"), Names("t.txt:1", "destination", "\"-1\"", "0", "3"));
    EXPECT_THAT(fault_of("1 2 1.5\n"), Names("t.txt:1", "pir", "\"1.5\"", "0", "1"));
    EXPECT_THAT(fault_of("1 2 1e-7\n"), Names("t.txt:1", "pir", "1e-07", "1e-06"));
    EXPECT_THAT(fault_of("1 2 +-0.1\n"), Names("t.txt:1", "pir", "\"+-0.1\""));
    EXPECT_THAT(fault_of("1 2 nan\n"), Names("t.txt:1", "pir", "\"nan\""));
    EXPECT_THAT(fault_of("1 2 0.1 -0.5\n"), Names("t.txt:1", "por", "\"-0.5\""));
    EXPECT_THAT(fault_of("1 2 0.1 0.1 100 100\n"), Names("t.txt:1", "t_off", "\"100\"", "101"));
    EXPECT_THAT(fault_of("1 2 0.1 0.1 100 200 200\n"),
                Names("t.txt:1", "t_period", "\"200\"", "201"));
    EXPECT_THAT(fault_of("1 2 0.7\n1 3 0.4\n"), Names("t.txt:2", "source 1", "1.1", "1 packet"));
    EXPECT_THAT(fault_of("1 2 0.1 0.9\n1 3 0.1 0.4\n"), Names("t.txt:2", "source 1", "1.3"));
    EXPECT_THAT(fault_of("% nothing\n"), Names("t.txt", "no packets"));
    EXPECT_THAT(fault_of("0 1 0\n"), Names("t.txt", "no packets"));
}

// Lines that are active at different times do not add up.
TEST(TrafficTableTest, RatesAreSummedInEachCycle) {
    EXPECT_EQ(fault_of("0 1 0.7 0.7 0 100 300\n0 2 0.7 0.7 99 200 300\n"), "no fault");
    EXPECT_THAT(fault_of("0 1 0.7 0.7 0 101 300\n0 2 0.7 0.7 99 200 300\n"), Names("t.txt:2"));
    EXPECT_THAT(fault_of("0 1 0.7 0.7 0 100 300\n0 2 0.7 0.7 99 200 301\n"), Names("t.txt:2"));
}

TEST(TrafficTableTest, EachPairHasItsRate) {
    const std::vector<GeneratedPacket> all = packets("0 1 0.02\n0 3 0.06\n0 1 0.01\n");
    std::map<std::int32_t, std::size_t> to;
    for (const GeneratedPacket& packet : all) {
        ++to[packet.destination];
        EXPECT_EQ(packet.flits, Flits(8));
    }
    ASSERT_EQ(to.size(), 2U);
    expect_count(to[1], 0.03 * kCycles);
    expect_count(to[3], 0.06 * kCycles);
    EXPECT_EQ(packets("0 1 1\n").size(), static_cast<std::size_t>(kCycles)) << "in each cycle";
    EXPECT_THAT(packets("1 1 0.5\n"), IsEmpty());
    EXPECT_THAT(packets("1 1 0.5\n0 1 0 0.5 0 2 3\n0 1 1 1 1 2 3\n"), IsEmpty());
}

// Cycles c with t_on < c mod t_period < t_off.
TEST(TrafficTableTest, PacketsBeginInTheirTimesAlone) {
    const std::vector<GeneratedPacket> all = packets("0 2 0.5 0.5 100 150 1000\n");
    std::int64_t least = 1000;
    std::int64_t most = 0;
    for (const GeneratedPacket& packet : all) {
        least = std::min(least, packet.cycle.count() % 1000);
        most = std::max(most, packet.cycle.count() % 1000);
    }
    EXPECT_EQ(least, 101);
    EXPECT_EQ(most, 149);
    expect_count(all.size(), 0.5 * 49 * kCycles / 1000);
    EXPECT_EQ(packets("0 2 1 1 100 104 1000\n").front().cycle, Cycles(101));
    EXPECT_EQ(packets("0 2 1 1 100 104 1000\n")[3].cycle, Cycles(1101));
    const std::vector<GeneratedPacket> once = packets("0 2 1 1 10 14\n");
    EXPECT_EQ(once.size(), 3U);
}

// With rate p, and r after a packet, the share of cycles with a packet is p / (1 - r + p).
TEST(TrafficTableTest, TheRateAfterAPacketMakesBursts) {
    const std::vector<GeneratedPacket> all = packets("0 1 0.01 0.9\n");
    const double share = 0.01 / (1.0 - 0.9 + 0.01);
    EXPECT_NEAR(static_cast<double>(all.size()) / kCycles, share, 0.05 * share);
    std::size_t followed = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
        followed += all[i].cycle == all[i - 1].cycle + Cycles(1) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(followed) / static_cast<double>(all.size()), 0.9, 0.02);
    const std::vector<GeneratedPacket> apart = packets("0 1 0.5 0\n");
    for (std::size_t i = 1; i < apart.size(); ++i) {
        ASSERT_GT(apart[i].cycle, apart[i - 1].cycle + Cycles(1));
    }
}

TEST(TrafficTableTest, TheSeedGivesThePackets) {
    const std::string table = "0 1 0.02 0.5\n0 3 0.06 0.1 5 90 100\n";
    EXPECT_EQ(packets(table, 2), packets(table, 2));
    EXPECT_NE(packets(table, 3), packets(table, 2));
}

TEST(TrafficTableTest, AMissingFileNamesItsKey) {
    TrafficParameters parameters;
    EXPECT_TRUE(parameters.pattern.set(std::string("table")));
    EXPECT_THAT(parameters.check()->key, "table_file");
    EXPECT_TRUE(parameters.table_file.set(std::string("/none/t.txt")));
    EXPECT_FALSE(parameters.check().has_value());
    const Topology mesh = mesh_topology({2, 2});
    try {
        const TrafficSources sources(parameters, mesh, hw::Bytes(2));
        FAIL();
    } catch (const TrafficFault& fault) {
        EXPECT_THAT(fault.what(), Names("traffic.table_file", "/none/t.txt"));
    }
}

}  // namespace
}  // namespace weir::network
