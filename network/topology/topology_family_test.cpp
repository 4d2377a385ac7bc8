#include "network/topology/topology_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/routing/routing_kind.h"
#include "network/topology/butterfly.h"
#include "network/topology/digits.h"
#include "network/topology/dragonfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"

namespace weir::network {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

// Values of network.routing that the topology accepts.
std::vector<std::string> routings_of(const TopologyFamily& family) {
    std::vector<std::string> routings;
    for (const RoutingKind* routing : routing_kinds()) {
        if (routing->routes(family)) {
            routings.push_back(routing->name());
        }
    }
    return routings;
}

TEST(TopologyFamilyTest, EachIsRoutedAsItsShapeAllows) {
    for (const TopologyFamily* grid : {&mesh_family(), &torus_family()}) {
        EXPECT_THAT(routings_of(*grid), IsSupersetOf({"default", "dimension_order", "up_down",
                                                      "minimal_adaptive", "valiant"}));
    }
    EXPECT_THAT(routings_of(mesh_family()),
                IsSupersetOf({"odd_even", "o1turn", "romm", "planar_adaptive"}));
    EXPECT_THAT(routings_of(torus_family()), Not(Contains("odd_even")));
    EXPECT_THAT(routings_of(hypercube_family()),
                ElementsAre("default", "e_cube", "up_down", "minimal_adaptive", "valiant"));
    EXPECT_THAT(routings_of(butterfly_family()), ElementsAre("default", "destination_tag"));
    EXPECT_THAT(routings_of(graph_family()), ElementsAre("default", "up_down"));
}

TEST(TopologyFamilyTest, TheListInWordsHasAnOrBeforeItsLast) {
    const auto named = [](const std::vector<std::string>& names) {
        return topologies_that([&](const TopologyFamily& family) {
            return std::find(names.begin(), names.end(), family.name()) != names.end();
        });
    };
    EXPECT_THAT(named({"mesh", "torus", "hypercube"}), Names("mesh,", "torus", "hypercube"));
    EXPECT_THAT(named({"mesh", "torus"}),
                AllOf(Names("mesh", "torus"), Not(HasSubstr("hypercube"))));
    EXPECT_EQ(named({"torus"}), "torus");
}

// Formula and mean distance as text, for example "2/3 P^(1/2) = 2.67", as in the table of LogP's
// Section 5.1.
std::string formula_of(const Topology& topology) {
    const std::optional<DistanceFormula> formula = topology.family().distance_formula(topology);
    if (!formula) {
        return "none";
    }
    EXPECT_EQ(formula->source, "LogP Section 5.1");
    std::ostringstream text;
    text.precision(3);
    text << formula->text << " = " << formula->hops;
    return text.str();
}

TEST(DistanceFormulaTest, OfMeshesIsAThirdOfEachSide) {
    EXPECT_EQ(formula_of(mesh_topology({6})), "P/3 = 2");
    EXPECT_EQ(formula_of(mesh_topology({4, 4})), "2/3 P^(1/2) = 2.67");
    EXPECT_EQ(formula_of(mesh_topology({5, 5, 5})), "P^(1/3) = 5");
    EXPECT_EQ(formula_of(mesh_topology({4, 3})), "none") << "for equal sides alone";
}

TEST(DistanceFormulaTest, OfToriIsAQuarterOfEachSide) {
    EXPECT_EQ(formula_of(torus_topology({8})), "P/4 = 2");
    EXPECT_EQ(formula_of(torus_topology({6, 6})), "1/2 P^(1/2) = 3");
    EXPECT_EQ(formula_of(torus_topology({4, 4, 4})), "3/4 P^(1/3) = 3");
}

TEST(DistanceFormulaTest, OfNetworksOfLevelsGrowsWithTheLogarithm) {
    EXPECT_EQ(formula_of(hypercube_topology(5)), "1/2 log2(P) = 2.5");
    EXPECT_EQ(formula_of(butterfly_topology(4, 2)), "log4(P) = 2");
    EXPECT_EQ(formula_of(fat_tree_topology(2, 8, {2, 2})), "2 log2(P) - 2/1 = 4");
    EXPECT_EQ(formula_of(fat_tree_topology(3, 9, {3})), "2 log3(P) - 1 = 3");
    EXPECT_EQ(formula_of(fat_tree_topology(4, 16, {2})), "2 log4(P) - 2/3 = 3.33")
        << "a thinner tree";
    EXPECT_EQ(formula_of(fat_tree_topology(2, 8, {1, 1})), "none") << "it is no fat tree";
    EXPECT_EQ(formula_of(dragonfly_topology({2, 2, 2})), "none");
}

TEST(DigitsTest, ANumbersDigitsCountFromTheLast) {
    const Digits decimal(10);
    EXPECT_EQ(decimal.power(0), 1U);
    EXPECT_EQ(decimal.power(3), 1000U);
    EXPECT_EQ(decimal.digit(4732, 0), 2);
    EXPECT_EQ(decimal.digit(4732, 3), 4);
    EXPECT_EQ(decimal.with(4732, 1, 9), 4792U);
    EXPECT_EQ(decimal.with(4732, 2, 0), 4032U);
    EXPECT_EQ(decimal.without(4732, 0), 473U);
    EXPECT_EQ(decimal.without(4732, 2), 432U);
}

}  // namespace
}  // namespace weir::network
