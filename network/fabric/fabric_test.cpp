#include "network/fabric/fabric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/test_cost.h"
#include "network/network_parameters.h"
#include "network/routing/channel_dependencies.h"
#include "network/testing/fabric_ends.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using hw::ClockDomain;
using hw::Cycles;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FabricArrival;
using testing::FabricBench;
using ::testing::HasSubstr;
using ::testing::Not;

class FabricTest : public ::testing::Test {
  public:
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
    Fabric::Design design;
};

TEST_F(FabricTest, AMessageTakesAHopsCyclesAHop) {
    const Topology mesh = mesh_topology({4, 4});
    const auto routing = dimension_order_routing(mesh, {0, 1});
    design.injection_cycles = Cycles(2);
    design.hop_cycles = Cycles(3);
    design.ejection_cycles = Cycles(5);
    FabricBench bench(domain, *routing, design);
    bench.send(0, 15, 4, 10);
    bench.run();
    EXPECT_THAT(bench.end(15).arrivals,
                ElementsAre(FabricArrival{0, 10 + 2 + 6 * 3 + 5, 10 + 2 + 6 * 3 + 5 + 3}));
    EXPECT_EQ(bench.fabric.flit_hops(), 7 * 4);
}

TEST_F(FabricTest, DeliversOnAMesh) {
    const Topology mesh = mesh_topology({4, 4});
    const auto routing = dimension_order_routing(mesh, {0, 1});
    FabricBench bench(domain, *routing, design);
    bench.send_at_random(1, 500, 12, 20);
    bench.run();
    EXPECT_EQ(bench.arrived(), bench.sent());
    EXPECT_EQ(bench.flits_missing(), 0);
    EXPECT_EQ(bench.fabric.flits_in_flight(), hw::Flits(0));
}

TEST_F(FabricTest, NoBufferOfWholeMessagesIsLargerThanAHeaderCanSay) {
    const Topology mesh = mesh_topology({2});
    const auto routing = dimension_order_routing(mesh, {0});
    design.buffer = hw::Flits(Flit::kMostFlits + 1);
    EXPECT_NO_THROW(Fabric("wormhole", domain, *routing, design));
    design.router.switching = Switching::kVirtualCutThrough;
    EXPECT_THROW(Fabric("whole", domain, *routing, design), std::invalid_argument);
    design.buffer = hw::Flits(Flit::kMostFlits);
    EXPECT_NO_THROW(Fabric("as_large_as_can_be", domain, *routing, design));
    EXPECT_FALSE(NetworkParameters().buffer_flits.set(std::int64_t{Flit::kMostFlits + 1}));
}

// --- A million packets --------------------------------------------------------------------------

struct SaturatedCase {
    const char* name;
    Topology (*make)();
    std::unique_ptr<Routing> (*route)(const Topology& topology);
    std::int64_t packets = 1'000'000;
};
void PrintTo(const SaturatedCase& saturated, std::ostream* out) { *out << saturated.name; }

class SaturatedFabric : public ::testing::TestWithParam<SaturatedCase> {
  public:
    const Topology topology = GetParam().make();
    const std::unique_ptr<Routing> routing = GetParam().route(topology);
    hw::ClockDomainParameters clock_parameters;
    ClockDomain domain{"clock", clock_parameters};
};

// Packets of up to 8 flits are injected as fast as the buffers of 4 flits accept them. A routing
// that is proved deadlock-free delivers all packets. Most networks are small, since the host
// emulates a packet faster in these.
TEST_P(SaturatedFabric, DeliversAllPackets) {
    ASSERT_TRUE(ChannelDependencies(*routing).is_acyclic());
    ASSERT_EQ(ChannelDependencies(*routing).stuck_at(), "");
    Fabric::Design design;
    design.router.reallocation =
        routing->has_escape() ? Reallocation::kTailCredit : Reallocation::kTail;
    FabricBench bench(domain, *routing, design);
    const std::int64_t packets = GetParam().packets;
    bench.send_at_random(11, packets / bench.fabric.node_count(), 8, 0);
    bench.run();
    EXPECT_EQ(bench.arrived(), packets / bench.fabric.node_count() * bench.fabric.node_count());
    EXPECT_EQ(bench.arrived(), bench.sent());
    EXPECT_EQ(bench.flits_missing(), 0);
}

// Short and long packets with virtual cut-through: a long packet that waits for room delays others,
// but not for ever. Since buffers hold whole packets, even adaptive routing may reallocate a
// virtual channel that is not empty.
TEST_P(SaturatedFabric, DeliversAllPacketsSwitchedWhole) {
    Fabric::Design design;
    design.router.switching = Switching::kVirtualCutThrough;
    design.router.arbitration = Arbitration::kOldest;
    design.buffer = hw::Flits(8);
    FabricBench bench(domain, *routing, design);
    bench.send_at_random(11, 100'000 / bench.fabric.node_count(), 8, 0);
    bench.run();
    EXPECT_EQ(bench.arrived(), bench.sent());
    EXPECT_EQ(bench.flits_missing(), 0);
}

// A graph as from a file: a ring with a chord, so that some up*/down* routes are longer than the
// shortest paths.
Topology ring_of_16_with_a_chord() {
    std::string text = "graph { n00 -- n08; ";
    const auto name = [](int i) { return (i < 10 ? "n0" : "n") + std::to_string(i); };
    for (int i = 0; i < 16; ++i) {
        text += name(i) + " -- " + name((i + 1) % 16) + "; ";
    }
    std::istringstream file(text + "}");
    return read_graph(file, GraphFormat::kDot, "a ring with a chord");
}
Topology square_torus() { return torus_topology({4, 4}); }
Topology square_mesh() { return mesh_topology({4, 4}); }
std::unique_ptr<Routing> around_datelines(const Topology& torus) {
    return torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline});
}
std::unique_ptr<Routing> mesh_x_first(const Topology& mesh) {
    return dimension_order_routing(mesh, {0, 1});
}

INSTANTIATE_TEST_SUITE_P(
    SmallNetworks, SaturatedFabric,
    ::testing::Values(
        SaturatedCase{"mesh, x first", square_mesh, mesh_x_first},
        SaturatedCase{"mesh, y first", square_mesh,
                      [](const Topology& mesh) {
                          return dimension_order_routing(mesh, {1, 0});
                      }},
        SaturatedCase{"hypercube", [] { return hypercube_topology(4); }, e_cube_routing},
        SaturatedCase{"4-ary tree of 16", [] { return fat_tree_topology(4, 16); }, up_down_routing},
        SaturatedCase{"4-ary 2-fly", [] { return butterfly_topology(4, 2); },
                      destination_tag_routing},
        SaturatedCase{"graph", ring_of_16_with_a_chord, up_down_routing},
        SaturatedCase{"torus, up/down", square_torus, up_down_routing},
        SaturatedCase{"torus, adaptive", square_torus,
                      [](const Topology& torus) {
                          return minimal_adaptive_routing(around_datelines(torus), 3);
                      }},
        SaturatedCase{
            "mesh, adaptive", square_mesh,
            [](const Topology& mesh) { return minimal_adaptive_routing(mesh_x_first(mesh), 2); }},
        SaturatedCase{"hypercube, adaptive", [] { return hypercube_topology(4); },
                      [](const Topology& hypercube) {
                          return minimal_adaptive_routing(e_cube_routing(hypercube), 2);
                      }}));

// Packets in a larger network that take as long to emulate as 1,000,000 in a small one.
constexpr std::int64_t kFewer = 100'000;
INSTANTIATE_TEST_SUITE_P(
    LargerNetworks, SaturatedFabric,
    ::testing::Values(
        SaturatedCase{"torus 8 x 8",
                      [] {
                          return torus_topology({8, 8});
                      },
                      [](const Topology& torus) {
                          return torus_dimension_order_routing(torus, {0, 1});
                      }},
        SaturatedCase{
            "torus 8 x 8, adaptive",
            [] {
                return torus_topology({8, 8});
            },
            [](const Topology& torus) {
                return minimal_adaptive_routing(
                    torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kDateline}), 3);
            },
            kFewer},
        SaturatedCase{"mesh 8 x 8, adaptive",
                      [] {
                          return mesh_topology({8, 8});
                      },
                      [](const Topology& mesh) {
                          return minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2);
                      },
                      kFewer},
        SaturatedCase{"hypercube, adaptive", [] { return hypercube_topology(6); },
                      [](const Topology& hypercube) {
                          return minimal_adaptive_routing(e_cube_routing(hypercube), 2);
                      },
                      kFewer},
        SaturatedCase{"4-ary tree of 64", [] { return fat_tree_topology(4, 64); }, up_down_routing,
                      kFewer},
        SaturatedCase{"4-ary 3-fly", [] { return butterfly_topology(4, 3); },
                      destination_tag_routing, kFewer},
        SaturatedCase{"torus, up/down",
                      [] {
                          return torus_topology({8, 8});
                      },
                      up_down_routing, kFewer}));

// A routing that is not proved deadlock-free does deadlock: packets remain when no event is left.
TEST_F(FabricTest, ATorusWithoutDatelinesDeadlocks) {
    const Topology torus = torus_topology({8, 8});
    const auto routing =
        torus_dimension_order_routing(torus, {0, 1}, {RingClasses::kNone, RingTies::kUp});
    FabricBench bench(domain, *routing, design);
    bench.send_at_random(11, 1000, 8, 0);
    bench.run(200'000);
    EXPECT_LT(bench.arrived(), bench.sent());
    const std::int64_t arrived = bench.arrived();
    bench.run(300'000);
    EXPECT_EQ(bench.arrived(), arrived);
}

// Adaptive routing on a single virtual channel, without a separate escape channel.
TEST_F(FabricTest, AdaptiveRoutingWithoutAnEscapeDeadlocks) {
    class OneChannelForAll final : public Routing {
      public:
        explicit OneChannelForAll(std::unique_ptr<Routing> routing)
            : Routing(routing->topology()), routing_(std::move(routing)) {}
        void add_outputs(const HeaderPlace& place, std::size_t destination,
                         std::vector<RoutedOutput>& outputs) const override {
            for (const RoutedOutput& output : routing_->outputs(place, destination)) {
                outputs.push_back({output.port, 0});
            }
        }

      private:
        std::unique_ptr<Routing> routing_;
    };
    const Topology mesh = mesh_topology({8, 8});
    const OneChannelForAll routing(
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2));
    EXPECT_FALSE(ChannelDependencies(routing).is_acyclic());
    FabricBench bench(domain, routing, design);
    bench.send_at_random(11, 1000, 8, 0);
    bench.run(200'000);
    EXPECT_LT(bench.arrived(), bench.sent());
}

// --- Escapes ------------------------------------------------------------------------------------

struct EscapeCase {
    const RouterKind* kind = router_kinds().front();
    Reallocation reallocation = Reallocation::kTail;
    bool may_leave = true;
    bool escapes_last = true;
};
void PrintTo(const EscapeCase& adaptive, std::ostream* out) {
    constexpr std::array kReallocations{"tail", "tail_credit", "whole_message"};
    *out << adaptive.kind->name() << " "
         << kReallocations.at(static_cast<std::size_t>(adaptive.reallocation))
         << (adaptive.may_leave ? " leaves" : " stays")
         << (adaptive.escapes_last ? " last" : " at once");
}

class AdaptiveMeshTest : public FabricTest, public ::testing::WithParamInterface<EscapeCase> {
  public:
    AdaptiveMeshTest() {
        design.router_kind = GetParam().kind;
        design.router.reallocation = GetParam().reallocation;
        design.router.escapes_last = GetParam().escapes_last;
    }
    const Topology mesh = mesh_topology({8, 8});
    const std::unique_ptr<Routing> routing =
        minimal_adaptive_routing(dimension_order_routing(mesh, {0, 1}), 2,
                                 {.may_leave = GetParam().may_leave,
                                  .share_buffers = GetParam().reallocation == Reallocation::kTail});
};

// Packets are injected as fast as buffers accept them.
using AdaptiveMeshThatDelivers = AdaptiveMeshTest;
TEST_P(AdaptiveMeshThatDelivers, DeliversAllPackets) {
    ASSERT_TRUE(ChannelDependencies(*routing).is_acyclic());
    FabricBench bench(domain, *routing, design);
    bench.send_at_random(11, 300, 8, 0);
    bench.run();
    EXPECT_EQ(bench.arrived(), bench.sent());
    EXPECT_EQ(bench.flits_missing(), 0);
}
bool allows_virtual_channels(const RouterKind& kind) {
    NetworkParameters parameters;
    static_cast<void>(parameters.virtual_channels.set(std::int64_t{2}));
    return kind.traits().fault == nullptr || !kind.traits().fault(parameters);
}
std::vector<EscapeCase> all_that_are_proved() {
    std::vector<EscapeCase> all;
    for (const RouterKind* kind : router_kinds()) {
        if (!allows_virtual_channels(*kind)) {
            continue;
        }
        for (const auto reallocation : {Reallocation::kTailCredit, Reallocation::kWholeMessage}) {
            for (const bool may_leave : {true, false}) {
                all.push_back({kind, reallocation, may_leave, true});
                all.push_back({kind, reallocation, may_leave, false});
            }
        }
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(AllChoices, AdaptiveMeshThatDelivers,
                         ::testing::ValuesIn(all_that_are_proved()));

// Deadlock occurs whether or not messages may leave the escape channels. Buffers hold several
// messages here, and a message that waits behind another one can't request an escape channel.
using AdaptiveMeshOfSharedBuffers = AdaptiveMeshTest;
TEST_P(AdaptiveMeshOfSharedBuffers, Deadlocks) {
    FabricBench bench(domain, *routing, design);
    bench.send_at_random(11, 3000, 8, 0);
    bench.run(200'000);
    EXPECT_LT(bench.arrived(), bench.sent());
}
INSTANTIATE_TEST_SUITE_P(OfTails, AdaptiveMeshOfSharedBuffers,
                         ::testing::Values(EscapeCase{.may_leave = true},
                                           EscapeCase{.may_leave = false, .escapes_last = false}));

// --- Orders -------------------------------------------------------------------------------------

TEST(FabricOrderTest, NoResultDependsOnTheTickOrderNorOnSleeping) {
    const auto results = hw::testing::results_in_every_order([](ClockDomain& domain) {
        const Topology mesh = mesh_topology({4, 4});
        const auto routing = dimension_order_routing(mesh, {0, 1});
        FabricBench bench(domain, *routing, {});
        bench.send_at_random(1, 100, 12, 15);
        bench.run(100'000);
        return bench.text();
    });
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_THAT(results.front(), Not(HasSubstr("failed")));
}

WEIR_TESTS_COST("SmallNetworks/SaturatedFabric.DeliversAllPackets/", 3, 39);
WEIR_TESTS_COST("LargerNetworks/SaturatedFabric.DeliversAllPackets/0$", 4, 38);
WEIR_TESTS_COST("AdaptiveMeshOfSharedBuffers.Deadlocks/0$", 1, 16);
WEIR_TESTS_COST("FabricTest\\.(ATorusWithoutDatelines|AdaptiveRoutingWithoutAnEscape)Deadlocks", 1,
                15);
WEIR_TESTS_COST("AdaptiveMeshOfSharedBuffers.Deadlocks/1$", 1, 12);
WEIR_TESTS_COST("LargerNetworks/SaturatedFabric.DeliversAllPackets/2$", 1, 8);

}  // namespace
}  // namespace weir::network
