#include "network/fabric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "hw/testing/every_order.h"
#include "network/testing/fabric_ends.h"
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

}  // namespace
}  // namespace weir::network
