#include "network/topology/router_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/testing/settings.h"
#include "network/topology/metrics.h"

namespace weir::network {
namespace {

using ::testing::ElementsAre;
using testing::List;
using testing::text;
using weir::testing::Names;

TEST(RouterGridTest, AConcentratedMeshHasTheDistancesOfItsRouters) {
    const Topology mesh = concentrated_mesh_topology(4, {4, 3});
    EXPECT_EQ(mesh.switch_count(), 12U);
    EXPECT_EQ(mesh.node_count(), 48U);
    EXPECT_EQ(mesh.switch_of_node(47), 11U);
    EXPECT_THAT(mesh.graph()[11].coordinates, ElementsAre(3, 2));
    EXPECT_EQ(distances_of(mesh).diameter, 3 + 2 + 2) << "the nodes' channels count";
    EXPECT_EQ(degrees_of(mesh).largest, 4U + 4U);
    EXPECT_EQ(degrees_of(mesh).least, 4U + 2U);
    EXPECT_EQ(hop_channels_of(mesh), 2U * (3 * 3 + 4 * 2) + 2U * 48);
}

// Kim, Dally and Abts, Section 2: an 8-ary 2-flat has 8 routers of 8 nodes. Routers of a k-ary
// n-flat are at most n - 1 hops apart.
TEST(RouterGridTest, AFlattenedButterflyHasAHopForEachDimension) {
    EXPECT_EQ(distances_of(flattened_butterfly_topology(8, {8})).diameter, 1 + 2);
    const Topology flat = flattened_butterfly_topology(4, {4, 4});
    EXPECT_EQ(flat.node_count(), 64U);
    EXPECT_EQ(distances_of(flat).diameter, 2 + 2);
    EXPECT_EQ(degrees_of(flat).least, 4U + 3U + 3U);
    EXPECT_EQ(degrees_of(flat).largest, 4U + 3U + 3U);
    EXPECT_EQ(distances_of(flattened_butterfly_topology(2, {3, 3, 3})).diameter, 3 + 2);
}

// Ahn et al., Section II: a router has T + sum of (S_k - 1) ports.
TEST(RouterGridTest, AHyperXHasAnyExtents) {
    const Topology hyperx = hyperx_topology(3, {2, 4, 3});
    EXPECT_EQ(hyperx.switch_count(), 24U);
    EXPECT_EQ(degrees_of(hyperx).least, 3U + 1U + 3U + 2U);
    EXPECT_EQ(distances_of(hyperx).diameter, 3 + 2);
}

TEST(RouterGridTest, ARouteCorrectsOneDimensionAfterTheOther) {
    const Topology hyperx = hyperx_topology(2, {3, 4});
    const auto routing = router_grid_routing(hyperx);
    const std::size_t destination = 2 * (2 + 3 * 3) + 1;  // the second node of (2,3)
    const auto next = [&](std::size_t router) {
        return routing->outputs({router, 0, 0}, destination);
    };
    EXPECT_THAT(next(0), ElementsAre(RoutedOutput{2 + 1, 0})) << "to coordinate 2 of x";
    EXPECT_THAT(next(2), ElementsAre(RoutedOutput{4 + 2, 0})) << "to coordinate 3 of y";
    EXPECT_THAT(next(11), ElementsAre(RoutedOutput{1, 0}));
}

TEST(RouterGridTest, DimensionsMustDescribeTheGrid) {
    const auto fault_of = [](const char* topology, const List& dimensions) {
        NetworkParameters parameters;
        testing::set_all(parameters, {{"topology", text(topology)}, {"dimensions", dimensions}});
        const auto fault = parameters.check();
        return fault ? fault->key + " " + fault->found : "";
    };
    EXPECT_EQ(fault_of("flattened_butterfly", {4, 4, 4}), "");
    EXPECT_EQ(fault_of("hyperx", {4, 3, 4}), "");
    EXPECT_THAT(fault_of("flattened_butterfly", {4, 3, 4}), Names("dimensions", "different"));
    EXPECT_THAT(fault_of("concentrated_mesh", {16}), Names("dimensions", "grid"));
}

}  // namespace
}  // namespace weir::network
