#include "network/router/dynamic_node_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/testing/fabric_ends.h"
#include "network/testing/settings.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::FabricArrival;
using testing::FabricBench;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

Fabric::Design dynamic_nodes() {
    Fabric::Design design;
    design.router_kind = &dynamic_node_router_kind();
    design.credit_cycles = hw::Cycles(2);
    return design;
}

/// A mesh of 4 x 4, node n at (n mod 4, n div 4).
class DynamicNodeTest : public ::testing::Test {
  protected:
    /// Cycles from the generation of a packet to the arrival of its header, without other packets
    /// in the network.
    std::int64_t alone(std::int32_t source, std::int32_t destination) {
        bench.send(source, destination, 1, now_);
        const std::int64_t sent = now_;
        now_ += 100;
        bench.run(now_ - 1);
        return bench.end(destination).arrivals.back().header_cycle - sent;
    }

    hw::ClockDomainParameters clock_parameters;
    hw::ClockDomain domain{"clock", clock_parameters};
    Topology mesh = mesh_topology({4, 4});
    std::unique_ptr<Routing> routing = dimension_order_routing(mesh, {0, 1});
    FabricBench bench{domain, *routing, dynamic_nodes()};

  private:
    std::int64_t now_ = 10;
};

// Injection, ejection and each link take a cycle each. A turn takes another cycle: out of the node,
// from x into y, and into the node from any port except +y.
TEST_F(DynamicNodeTest, AHopStraightOnTakesACycleAndATurnOneMore) {
    EXPECT_EQ(alone(0, 1), 1 + (1 + 1) + (1 + 1));
    EXPECT_EQ(alone(0, 3), 1 + (1 + 1) + 1 + 1 + (1 + 1));
    EXPECT_EQ(alone(3, 0), 1 + (1 + 1) + 1 + 1 + (1 + 1));
    EXPECT_EQ(alone(0, 5), 1 + (1 + 1) + (1 + 1) + (1 + 1));
    EXPECT_EQ(alone(0, 4), 1 + (1 + 1) + (1 + 1));
    EXPECT_EQ(alone(4, 0), 1 + (1 + 1) + 1);
}

TEST_F(DynamicNodeTest, FlitsFollowTheirHeaderACycleApart) {
    bench.send(0, 3, 6, 0);
    bench.run();
    EXPECT_THAT(bench.end(3).arrivals, ElementsAre(FabricArrival{0, 7, 12}));
}

// While the first packet passes to node 1, the output plans for the packet from the other side. The
// second packet therefore follows without a lost cycle.
TEST_F(DynamicNodeTest, AnOutputPlansForWhoAsksNext) {
    bench.send(0, 1, 6, 0);
    bench.send(2, 1, 6, 0);
    bench.run();
    const std::vector<FabricArrival>& arrivals = bench.end(1).arrivals;
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[0].header_cycle, 5);
    EXPECT_EQ(arrivals[1].header_cycle, arrivals[0].tail_cycle + 1);
}

// After a tail, an output serves other inputs before the next message of the same input.
TEST_F(DynamicNodeTest, AnInputDoesNotFollowItself) {
    for (int i = 0; i < 3; ++i) {
        bench.send(0, 1, 4, 0);
        bench.send(2, 1, 4, 0);
    }
    bench.run();
    std::vector<hw::MessageSlot> order;
    for (const FabricArrival& arrival : bench.end(1).arrivals) {
        order.push_back(arrival.message % 2);
    }
    EXPECT_THAT(order,
                ::testing::AnyOf(ElementsAre(0, 1, 0, 1, 0, 1), ElementsAre(1, 0, 1, 0, 1, 0)));
}

TEST(DynamicNodeOrderTest, DeliversTheSameInEveryOrderAndWithoutSleep) {
    const auto results = hw::testing::results_in_every_order([](hw::ClockDomain& domain) {
        const Topology square = mesh_topology({4, 4});
        const auto x_first = dimension_order_routing(square, {0, 1});
        FabricBench bench(domain, *x_first, dynamic_nodes());
        bench.end(5).deaf_until = hw::Cycles(300);
        bench.send_at_random(1, 100, 12, 15);
        bench.run(100'000);
        EXPECT_EQ(bench.arrived(), bench.sent());
        return bench.text();
    });
    EXPECT_THAT(results, Each(results.front()));
    EXPECT_THAT(results.front(), Not(HasSubstr("failed")));
}

std::string fault_of(const testing::Settings& settings) {
    NetworkParameters parameters;
    testing::set_all(parameters, {{"router", testing::text("dynamic_node")}});
    testing::set_all(parameters, settings);
    const auto fault = parameters.check();
    return fault ? fault->key + " " + fault->found : "";
}

TEST(DynamicNodeKindTest, IsForMeshesOfTwoDimensions) {
    EXPECT_EQ(fault_of({{"dimensions", testing::List{8, 4}}}), "");
    EXPECT_EQ(fault_of({{"dimensions", testing::List{3, 9}}}), "");
    for (const testing::Settings& other : std::vector<testing::Settings>{
             {{"dimensions", testing::List{4, 2, 2}}},
             {{"topology", testing::text("torus")}},
             {{"topology", testing::text("hypercube")}, {"dimensions", testing::List{16}}},
             {{"routing", testing::text("up_down")}},
             {{"virtual_channels", std::int64_t{2}}}}) {
        EXPECT_THAT(fault_of(other), Names("router", "dynamic_node", "mesh", "dimensions"));
    }
}

}  // namespace
}  // namespace weir::network
