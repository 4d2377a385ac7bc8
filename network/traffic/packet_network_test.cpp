#include "network/traffic/packet_network.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "network/network_plan.h"
#include "network/testing/settings.h"
#include "network/traffic/one_at_a_time.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/traffic_sources.h"

// Compares traffic on random networks in a fast emulation and flit by flit.
namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using hw::Flits;
using hw::NodeId;
using hw::RandomStream;
using testing::List;
using testing::text;

enum class RandomKind : std::uint8_t {
    kPlainMesh,  ///< fast emulation: worm by worm
    kRouted,     ///< fast emulation: routers in one part, with VirtualChannelEndpoints
};
enum class Emulation : std::uint8_t {
    kFast,
    kFlits,           ///< each router and channel by itself
    kFlitsInOnePart,  ///< routers in one part, with TrafficEndpoints
};

/// Traffic on a small network with random parameters, drawn from its seed.
class RandomTraffic {
  public:
    RandomTraffic(RandomKind kind, std::uint64_t seed)
        : random_(seed, NodeId(0), "random traffic"), seed_(seed), kind_(kind) {
        kind == RandomKind::kPlainMesh ? draw_plain_mesh() : draw_routed();
    }

    /// Runs random open-loop traffic, and returns all its results as text.
    [[nodiscard]] std::string open_loop_in(ClockDomain& domain, Emulation emulation,
                                           Flits planted_buffer = Flits(0)) {
        const NetworkPlan plan = plan_of(emulation);
        TrafficParameters parameters;
        draw_traffic(parameters, plan.topology());
        const TrafficSources sources(parameters, plan.topology(), hw::Bytes(2));
        std::vector<std::unique_ptr<PacketNetwork>> copies;
        std::vector<PacketNetwork*> all;
        for (std::int64_t copy = 0; copy < network_.copies.value(); ++copy) {
            copies.push_back(network_of(domain, plan, emulation, copy, planted_buffer));
            all.push_back(copies.back().get());
        }
        OpenLoop traffic(domain, all, parameters,
                         [&](NodeId node) { return sources.make(node, seed_); });
        std::vector<std::string> trips;
        if (number(0, 1) == 0) {
            traffic.tell_trips([&](const PacketTrip& trip) { trips.push_back(text_of(trip)); });
        }
        const TrafficResult result = traffic.run({});
        std::string text = text_of(result, traffic.record()) + text_of(trips);
        for (const PacketNetwork* copy : all) {
            text += statistics_of(*copy, domain.now());
        }
        return text;
    }

    /// Runs one packet at a time, and returns all results as text.
    [[nodiscard]] std::string one_at_a_time_in(ClockDomain& domain, Emulation emulation) {
        const NetworkPlan plan = plan_of(emulation);
        const auto network = network_of(domain, plan, emulation, 0, Flits(0));
        OneAtATime traffic(domain, *network, Flits(packet_flits()));
        const OneAtATimeResult result = traffic.run({});
        std::string text = fmt::format("{} {} {:a} {:a}\n", static_cast<int>(result.end),
                                       result.cycles, result.mean_hops, result.mean_shortest_hops);
        for (const auto& [hops, apart] : result.by_hops) {
            text += fmt::format("{}: {} {} {} {}\n", hops, apart.pairs, apart.measured.sum(),
                                apart.measured.least(), apart.measured.largest());
        }
        return text + statistics_of(*network, domain.now());
    }

  private:
    std::int64_t number(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(
                           random_.below(static_cast<std::uint64_t>(most - least + 1)));
    }
    std::int64_t link() { return number(0, 4) == 0 ? number(5, 64) : number(1, 4); }
    std::int64_t packet_flits() {
        if (network_.switching.value() != Switching::kWormhole) {
            return number(1, network_.buffer_flits.value().count());
        }
        const std::int64_t kind = number(0, 3);
        return kind == 0 ? 1 : kind == 1 ? number(20, 60) : number(2, 12);
    }
    template <class Item>
    const Item& one_of(const std::vector<Item>& items) {
        return items.at(
            static_cast<std::size_t>(number(0, static_cast<std::int64_t>(items.size()) - 1)));
    }

    void draw_plain_mesh() {
        const std::int64_t dimensions = number(1, 3);
        List extents;
        for (std::int64_t d = 0; d < dimensions; ++d) {
            extents.push_back(number(d == 0 ? 2 : 1, dimensions == 3 ? 3 : 5));
        }
        testing::set_all(network_,
                         {{"dimensions", extents},
                          {"virtual_channels", number(0, 1)},
                          {"buffer_flits", number(1, 3) == 1 ? number(1, 2) : number(3, 9)},
                          {"injection_cycles", link()},
                          {"hop_cycles", link()},
                          {"ejection_cycles", link()}});
        EXPECT_TRUE(WormPacketNetwork::takes(network_, no_faults()));
    }

    // Networks that are refused or can deadlock are drawn again.
    void draw_routed() {
        struct Family {
            const char* name;
            List dimensions;
        };
        const std::vector<Family> families{{"mesh", {3, 3}},         {"mesh", {5}},
                                           {"mesh", {4, 2}},         {"torus", {4, 4}},
                                           {"torus", {5}},           {"torus", {3, 4}},
                                           {"hypercube", {2, 2, 2}}, {"fat_tree", {8}},
                                           {"butterfly", {8}},       {"dragonfly", {2, 2, 3}}};
        for (bool is_accepted = false; !is_accepted;) {
            const Family& family = one_of(families);
            const bool switches_whole = number(0, 4) == 0;
            const std::int64_t longest = number(0, 6) == 0 ? 30 : 3;
            testing::set_all(
                network_,
                {{"topology", text(family.name)},
                 {"dimensions", family.dimensions},
                 {"arity", std::int64_t{2}},
                 {"virtual_channels", number(0, 4)},
                 {"routing", text(one_of<const char*>({"default", "default", "minimal_adaptive"}))},
                 {"ring_classes", text(one_of<const char*>({"dateline", "crossing", "balanced"}))},
                 {"ring_ties", text(one_of<const char*>({"up", "parity", "lot"}))},
                 {"vc_reallocation",
                  text(one_of<const char*>({"default", "tail", "tail_credit", "whole_message"}))},
                 {"switching", text(switches_whole ? one_of<const char*>({"virtual_cut_through",
                                                                          "store_and_forward"})
                                                   : "wormhole")},
                 {"buffer_flits", switches_whole ? number(8, 20) : number(1, 8)},
                 {"hop_cycles", number(1, longest)},
                 {"injection_cycles", number(1, longest)},
                 {"ejection_cycles", number(1, longest)},
                 {"routing_cycles", number(0, 2)},
                 {"vc_allocation_cycles", number(0, 1)},
                 {"switch_allocation_cycles", number(0, 1)},
                 {"credit_cycles", number(1, longest)},
                 {"escapes_last", number(0, 1) == 0},
                 {"copies", std::int64_t{number(0, 5) == 0 ? 2 : 1}}});
            try {
                is_accepted = !network_.check() &&
                              prove(NetworkPlan(network_).routing()).is_free_of_deadlock();
            } catch (const PlanFault&) {
                is_accepted = false;
            }
        }
    }

    [[nodiscard]] NetworkPlan plan_of(Emulation emulation) {
        EXPECT_TRUE(network_.flit_by_flit.set(emulation == Emulation::kFlits));
        return NetworkPlan(network_);
    }
    [[nodiscard]] std::unique_ptr<PacketNetwork> network_of(ClockDomain& domain,
                                                            const NetworkPlan& plan,
                                                            Emulation emulation, std::int64_t copy,
                                                            Flits planted_buffer) const {
        Fabric::Design design = plan.design();
        design.injection_vcs = plan.routing().virtual_channels();
        design.ejection_vcs = plan.routing().virtual_channels();
        design.buffer += planted_buffer;
        const std::string name = "network_" + std::to_string(copy);
        if (emulation == Emulation::kFast && kind_ == RandomKind::kPlainMesh) {
            return std::make_unique<WormPacketNetwork>(name.c_str(), domain, plan.routing(),
                                                       design);
        }
        design.has_virtual_channel_ends = emulation == Emulation::kFast;
        auto network = std::make_unique<FabricPacketNetwork>(name, domain, plan.routing(), design);
        EXPECT_EQ(network->fabric().has_virtual_channel_ends(), emulation == Emulation::kFast);
        return network;
    }

    // Some patterns need other extents; uniform traffic then takes their place. Bernoulli sources
    // take the place of bursts that cannot make the load.
    void draw_traffic(TrafficParameters& parameters, const Topology& topology) {
        constexpr std::array<const char*, 6> kPatterns{"uniform",   "hot_spot",       "locality",
                                                       "neighbour", "bit_complement", "tornado"};
        const bool is_bursty = number(0, 3) == 0;
        testing::set_all(parameters,
                         {{"pattern", text(kPatterns.at(static_cast<std::size_t>(number(0, 5))))},
                          {"load", static_cast<double>(number(1, 100)) / 110.0},
                          {"packet_flits", packet_flits()},
                          {"source", text(is_bursty ? "bursty" : "bernoulli")},
                          {"burst_cycles", number(1, 200)},
                          {"interleave_packets", number(0, 1) == 0},
                          {"await_tail_credit", number(0, 3) == 0},
                          {"hot_spot_share", 0.3},
                          {"warm_up_cycles", number(0, 1) * number(1, 600)},
                          {"measurement_cycles", number(1, 1'500)},
                          {"drain_cycles", number(1, 1'000)}});
        if (parameters.check()) {
            EXPECT_TRUE(parameters.source.set(text("bernoulli")));
        }
        try {
            static_cast<void>(make_pattern(parameters, topology));
        } catch (const TrafficFault&) {
            EXPECT_TRUE(parameters.pattern.set(text("uniform")));
        }
    }

    [[nodiscard]] static std::string text_of(const PacketTrip& trip) {
        const Packet& packet = trip.packet;
        std::string line =
            fmt::format("{} {} {} {} {} {} {}:", packet.source, packet.generated.count(),
                        packet.number, packet.injected.count(), packet.destination,
                        packet.flits.count(), trip.arrived.count());
        for (const RouterPassed& passed : trip.way) {
            line += fmt::format(" {}@{}", passed.vertex, passed.cycle.count());
        }
        return line;
    }
    [[nodiscard]] static std::string text_of(std::vector<std::string> trips) {
        std::sort(trips.begin(), trips.end());
        std::string text = fmt::format("{} trips\n", trips.size());
        for (const std::string& trip : trips) {
            text += trip + '\n';
        }
        return text;
    }
    [[nodiscard]] static std::string text_of(const TrafficResult& result,
                                             const TrafficRecord& record) {
        std::string text = fmt::format(
            "{} {} {:a} {:a} {} {} {:a} generated {} {} arrived {} taken {}\n",
            static_cast<int>(result.end), result.cycles, result.offered_load, result.accepted_load,
            result.packets_measured, result.packets_missing, result.mean_hops.value_or(-1.0),
            record.packets_generated(), record.measured_generated().count(),
            record.packets_arrived(), record.taken().count());
        for (const CycleHistogram* latencies :
             {&record.from_generation(), &record.from_injection()}) {
            for (int percent = 1; latencies->count() > 0 && percent <= 100; ++percent) {
                text += fmt::format("{} ", latencies->percentile(percent));
            }
            text += fmt::format("{}\n", latencies->sum());
        }
        for (const LatencySlice& slice : record.latency_slices()) {
            text += fmt::format("{}/{} ", slice.cycles, slice.packets);
        }
        for (const double utilisation : result.channel_utilisation) {
            text += fmt::format("{:a} ", utilisation);
        }
        return text + '\n';
    }
    [[nodiscard]] static std::string statistics_of(const PacketNetwork& network, hw::Cycles end) {
        std::vector<hw::PartStatistics> statistics;
        network.add_statistics(statistics);
        std::string text;
        for (const hw::PartStatistics& part : statistics) {
            text += part.part;
            for (const hw::Counter* counter : part.group->counters()) {
                text += fmt::format(" {} {}", counter->name(), counter->value());
            }
            text += '\n';
        }
        for (const ChannelCount& count : network.channel_counts(end)) {
            text += fmt::format("{} {} ", count.sent.count(), count.header_waits.count());
        }
        return text;
    }

    RandomStream random_;
    std::uint64_t seed_;
    RandomKind kind_;
    NetworkParameters network_;
};

std::string separate_traffic(RandomKind kind, std::uint64_t seed, Emulation emulation,
                             Flits planted_buffer = Flits(0)) {
    return hw::testing::result_of_separate_run([&] {
        const hw::ClockDomainParameters parameters;
        ClockDomain domain("clock", parameters);
        return RandomTraffic(kind, seed).open_loop_in(domain, emulation, planted_buffer);
    });
}

// First lines of two results that differ; empty for equal results.
std::string difference(const std::string& one, const std::string& other) {
    std::istringstream lines(one);
    std::istringstream other_lines(other);
    std::string line;
    std::string other_line;
    while (std::getline(lines, line)) {
        if (!std::getline(other_lines, other_line) || line != other_line) {
            return line + "\ninstead of\n" + other_line;
        }
    }
    return one == other ? "" : "fewer lines";
}

constexpr int kNetworksABatch = 30;

// Compares a batch of networks. Every third one is emulated flit by flit with its routers in one
// part.
void expect_equal_traffic(RandomKind kind, int batch) {
    const auto first_seed = static_cast<std::uint64_t>(batch) * kNetworksABatch;
    int drained = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + kNetworksABatch; ++seed) {
        const std::string fast = separate_traffic(kind, seed, Emulation::kFast);
        ASSERT_NE(fast, "failed") << seed;
        const Emulation flits = seed % 3 == 0 ? Emulation::kFlitsInOnePart : Emulation::kFlits;
        ASSERT_EQ(difference(fast, separate_traffic(kind, seed, flits)), "") << seed;
        drained += fast.front() == '0' ? 1 : 0;  // 0: TrafficEnd::kDrained
    }
    EXPECT_GT(drained, kNetworksABatch / 5);
    EXPECT_LT(drained, kNetworksABatch) << "none is saturated";
}

class FastTrafficTest : public ::testing::TestWithParam<int> {};

// All batches together: 600 plain meshes and 600 other networks, each emulated twice.
TEST_P(FastTrafficTest, ByWormsEqualsTrafficByFlits) {
    expect_equal_traffic(RandomKind::kPlainMesh, GetParam());
}

TEST_P(FastTrafficTest, ByRunsOnVirtualChannelsEqualsTrafficByFlits) {
    expect_equal_traffic(RandomKind::kRouted, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Batches, FastTrafficTest, ::testing::Range(0, 20));

constexpr std::array kKinds{RandomKind::kPlainMesh, RandomKind::kRouted};

// Planted fault: buffers with a slot more.
TEST(PacketNetworkTest, PlantedBufferSlotIsCaught) {
    for (const RandomKind kind : kKinds) {
        int different = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            different += separate_traffic(kind, seed, Emulation::kFast, Flits(1)) !=
                                 separate_traffic(kind, seed, Emulation::kFlitsInOnePart)
                             ? 1
                             : 0;
        }
        EXPECT_GT(different, 6);
    }
}

TEST(PacketNetworkTest, PacketsOneAtATimeAreTheSame) {
    for (const RandomKind kind : kKinds) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const auto run = [=](Emulation emulation) {
                return hw::testing::result_of_separate_run([=] {
                    const hw::ClockDomainParameters parameters;
                    ClockDomain domain("clock", parameters);
                    return RandomTraffic(kind, seed).one_at_a_time_in(domain, emulation);
                });
            };
            const std::string fast = run(Emulation::kFast);
            ASSERT_NE(fast, "failed") << seed;
            ASSERT_EQ(difference(fast, run(Emulation::kFlits)), "") << seed;
        }
    }
}

TEST(PacketNetworkTest, NeitherOrderNorSleepingMatters) {
    for (const RandomKind kind : kKinds) {
        for (const std::uint64_t seed : {3, 8, 13}) {
            const auto results = hw::testing::results_in_every_order([&](ClockDomain& domain) {
                return RandomTraffic(kind, seed).open_loop_in(domain, Emulation::kFast);
            });
            EXPECT_THAT(results, ::testing::Each(results.front())) << seed;
            EXPECT_THAT(results.front(), ::testing::Not("failed"));
        }
    }
}

}  // namespace
}  // namespace weir::network
