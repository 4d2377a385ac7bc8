#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "network/fabric/message_lots.h"
#include "network/network_plan.h"
#include "network/testing/settings.h"
#include "network/traffic/open_loop.h"

// Compares the mean number of hops of open-loop traffic with the packets' routes, which are
// followed here channel by channel, without a network.
namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using hw::NodeId;
using testing::List;
using testing::Settings;
using testing::text;

constexpr std::int64_t kBegin = 500;
constexpr std::int64_t kEnd = 2'500;

using NodePackets = std::map<int, std::vector<GeneratedPacket>>;

// Random packets of 1 to 5 flits, generated before, during and after the measurement.
NodePackets random_packets(std::int32_t nodes) {
    hw::RandomStream stream(7, NodeId(0), "packets");
    NodePackets packets;
    for (std::int32_t node = 0; node < nodes; ++node) {
        for (std::int64_t cycle = 0; cycle < 3'000;) {
            cycle += 1 + static_cast<std::int64_t>(stream.below(400));
            packets[node].push_back(
                {Cycles(cycle),
                 static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(nodes))),
                 Flits(1 + static_cast<std::int64_t>(stream.below(5)))});
        }
    }
    return packets;
}

// Hops of a route, drawn at random from those that the routing allows. All allowed routes of a lot
// have the same number of hops.
std::int64_t hops_of_route(const Routing& routing, std::size_t source_node, std::size_t destination,
                           int lot, hw::RandomStream& choice) {
    const Topology& topology = routing.topology();
    const TopologyGraph& graph = topology.graph();
    Channel channel = *out_edges(topology.vertex_of_node(source_node), graph).first;
    int virtual_channel = 0;
    std::int64_t hops = topology.is_hop(channel) ? 1 : 0;
    while (!topology.is_ejection(channel)) {
        const std::size_t vertex = target(channel, graph);
        const std::vector<RoutedOutput> outputs =
            routing.outputs({vertex, graph[channel].input_port, virtual_channel, lot}, destination);
        const RoutedOutput& output = outputs[choice.below(outputs.size())];
        for (const Channel next : boost::make_iterator_range(out_edges(vertex, graph))) {
            if (graph[next].output_port == output.port) {
                channel = next;
            }
        }
        virtual_channel = output.virtual_channel;
        hops += topology.is_hop(channel) ? 1 : 0;
    }
    return hops;
}

double mean_of_routes(const Routing& routing, const NodePackets& packets) {
    hw::RandomStream choice(3, NodeId(0), "routes");
    double hops = 0.0;
    double measured = 0.0;
    for (const auto& [node, all] : packets) {
        MessageLots lots(routing, 1, NodeId(node), "message lots");
        for (const GeneratedPacket& packet : all) {
            const int lot = lots.draw(NodeId(packet.destination));
            if (packet.cycle >= Cycles(kBegin) && packet.cycle < Cycles(kEnd)) {
                hops += static_cast<double>(
                    hops_of_route(routing, static_cast<std::size_t>(node),
                                  static_cast<std::size_t>(packet.destination), lot, choice));
                measured += 1.0;
            }
        }
    }
    return hops / measured;
}

struct MeasuredHops {
    TrafficEnd end = TrafficEnd::kInterrupted;
    std::optional<double> mean;
};

MeasuredHops measured_hops(const NetworkPlan& plan, NodePackets packets, std::int64_t drain_cycles,
                           int copies = 1) {
    hw::ClockDomainParameters clock;
    hw::ClockDomain domain("clock", clock);
    Fabric::Design design = plan.design();
    design.injection_vcs = plan.routing().virtual_channels();
    design.ejection_vcs = plan.routing().virtual_channels();
    std::vector<std::unique_ptr<FabricPacketNetwork>> networks;
    std::vector<PacketNetwork*> all;
    for (int copy = 0; copy < copies; ++copy) {
        networks.push_back(std::make_unique<FabricPacketNetwork>("fabric_" + std::to_string(copy),
                                                                 domain, plan.routing(), design));
        all.push_back(networks.back().get());
    }
    TrafficParameters parameters;
    EXPECT_TRUE(parameters.warm_up_cycles.set(kBegin));
    EXPECT_TRUE(parameters.measurement_cycles.set(kEnd - kBegin));
    EXPECT_TRUE(parameters.drain_cycles.set(drain_cycles));
    OpenLoop traffic(domain, all, parameters, [&](NodeId node) {
        return std::make_unique<RecordedPacketSource>(packets[node.index()]);
    });
    const TrafficResult result = traffic.run({});
    return {result.end, result.mean_hops};
}

struct HopsCase {
    std::string name;
    Settings settings;
    int copies = 1;
};

class MeanHopsTest : public ::testing::TestWithParam<HopsCase> {};

// Covers both emulations of the routers, and hop times far longer than the measurement.
TEST_P(MeanHopsTest, IsTheMeanOverTheMeasuredPacketsRoutes) {
    for (const bool flit_by_flit : {false, true}) {
        for (const std::int64_t hop_cycles : {1, 60, 3'000}) {
            const std::string found = hw::testing::result_of_separate_run([&] {
                NetworkParameters parameters;
                testing::set_all(parameters, {{"dimensions", List{4, 4}},
                                              {"buffer_flits", std::int64_t{8}},
                                              {"hop_cycles", hop_cycles},
                                              {"flit_by_flit", flit_by_flit}});
                testing::set_all(parameters, GetParam().settings);
                const NetworkPlan plan(parameters);
                const NodePackets packets = random_packets(16);
                const MeasuredHops measured =
                    measured_hops(plan, packets, 1'000'000, GetParam().copies);
                EXPECT_EQ(measured.end, TrafficEnd::kDrained);
                const double expected = mean_of_routes(plan.routing(), packets);
                EXPECT_GT(expected, 0.5);
                return std::to_string(measured.mean.value_or(-1.0) - expected);
            });
            EXPECT_NEAR(std::stod(found), 0.0, 1e-6) << flit_by_flit << ", " << hop_cycles;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, MeanHopsTest,
    ::testing::Values(
        HopsCase{"mesh", {}}, HopsCase{"mesh_of_two_copies", {}, 2},
        HopsCase{"mesh_of_virtual_channels", {{"virtual_channels", std::int64_t{3}}}},
        HopsCase{"adaptive_mesh", {{"routing", text("minimal_adaptive")}}},
        HopsCase{"up_and_down_mesh", {{"routing", text("up_down")}}},
        HopsCase{"odd_even_mesh", {{"routing", text("odd_even")}}},
        HopsCase{"romm_mesh", {{"routing", text("romm")}}},
        HopsCase{"torus", {{"topology", text("torus")}, {"ring_ties", text("lot")}}},
        HopsCase{"adaptive_torus",
                 {{"topology", text("torus")}, {"routing", text("minimal_adaptive")}}},
        HopsCase{"hypercube", {{"topology", text("hypercube")}}},
        HopsCase{"butterfly", {{"topology", text("butterfly")}}},
        HopsCase{"fat_tree", {{"topology", text("fat_tree")}}},
        HopsCase{"valiant_torus", {{"topology", text("torus")}, {"routing", text("valiant")}}},
        HopsCase{"random_up", {{"topology", text("fat_tree")}, {"routing", text("random_up")}}},
        HopsCase{"output_queues", {{"router", text("output_queued")}}},
        HopsCase{"stored_whole", {{"switching", text("store_and_forward")}}},
        HopsCase{"narrow_channels", {{"channel_bits_per_cycle", std::int64_t{4}}}}),
    [](const auto& each) { return each.param.name; });

// In a saturated network the packets that arrived in time had shorter routes.
TEST(MeanHopsOfSaturatedTest, IsOverThePacketsThatArrived) {
    NetworkParameters parameters;
    testing::set_all(parameters, {{"dimensions", List{8}}, {"hop_cycles", std::int64_t{1'000}}});
    const NetworkPlan plan(parameters);
    const Cycles cycle(kEnd - 1);
    const MeasuredHops measured = measured_hops(
        plan,
        {{0, {{cycle, 1, Flits(2)}}}, {2, {{cycle, 4, Flits(2)}}}, {3, {{cycle, 7, Flits(2)}}}},
        2'100);
    EXPECT_EQ(measured.end, TrafficEnd::kSaturated);
    EXPECT_DOUBLE_EQ(measured.mean.value(), (1.0 + 2.0) / 2.0);
}

TEST(MeanHopsOfSaturatedTest, IsNoneWhereNothingArrived) {
    NetworkParameters parameters;
    testing::set_all(parameters, {{"dimensions", List{8}}, {"hop_cycles", std::int64_t{1'000}}});
    const NetworkPlan plan(parameters);
    const MeasuredHops measured =
        measured_hops(plan, {{0, {{Cycles(kEnd - 1), 7, Flits(2)}}}}, 2'100);
    EXPECT_EQ(measured.end, TrafficEnd::kSaturated);
    EXPECT_FALSE(measured.mean.has_value());
}

}  // namespace
}  // namespace weir::network
