#include "network/network_parameters.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::network {
namespace {

using List = std::vector<std::int64_t>;
using Setting = std::pair<const char*, hw::ParameterValue>;

std::string text(const char* value) { return value; }

// Whether the plain mesh's own routers can stand for that network.
bool is_plain(const std::vector<Setting>& settings) {
    NetworkParameters parameters;
    for (const auto& [name, value] : settings) {
        EXPECT_TRUE(parameters.find(name)->set(value)) << name;
    }
    return parameters.is_plain_mesh();
}

// Where nodes are neighbours: in the grid, or else all in a row.
TEST(NeighbourExtentsTest, AreThoseOfTheGridWhereThereIsOne) {
    NetworkParameters parameters;
    ASSERT_TRUE(parameters.find("dimensions")->set(List{4, 3}));
    EXPECT_EQ(parameters.neighbour_extents(12), (std::vector<std::int32_t>{4, 3}));
    ASSERT_TRUE(parameters.find("topology")->set(text("fat_tree")));
    EXPECT_EQ(parameters.neighbour_extents(12), (std::vector<std::int32_t>{12}));
}

TEST(PlainMeshTest, IsWhatThePresetsHave) {
    EXPECT_TRUE(is_plain({}));
    EXPECT_TRUE(is_plain({{"dimensions", List{4, 3, 2}}}));
    EXPECT_TRUE(is_plain({{"routing", text("dimension_order")}}));
    EXPECT_TRUE(is_plain({{"routing_order", List{0, 1}}}));
    EXPECT_TRUE(is_plain({{"virtual_channels", std::int64_t{1}}}));
    EXPECT_TRUE(is_plain({{"hop_cycles", std::int64_t{3}}}));
}

TEST(PlainMeshTest, IsNoneThatDiffersInASingleParameter) {
    for (const Setting& setting :
         std::vector<Setting>{{"topology", text("torus")},
                              {"topology", text("hypercube")},
                              {"topology", text("fat_tree")},
                              {"routing_order", List{1, 0}},
                              {"routing_cycles", std::int64_t{1}},
                              {"vc_allocation_cycles", std::int64_t{1}},
                              {"switch_allocation_cycles", std::int64_t{1}},
                              {"credit_cycles", std::int64_t{2}},
                              {"tag_bytes", std::int64_t{8}},
                              {"router", text("output_queued")},
                              {"routing", text("up_down")},
                              {"routing", text("minimal_adaptive")},
                              {"virtual_channels", std::int64_t{2}},
                              {"switching", text("store_and_forward")},
                              {"arbitration", text("oldest")},
                              {"copies", std::int64_t{2}},
                              {"channel_bits_per_cycle", std::int64_t{8}}}) {
        EXPECT_FALSE(is_plain({setting})) << setting.first;
    }
}

// A flit takes a cycle to the next router at least; the stages of a router may take none.
TEST(NetworkParametersTest, AHopTakesACycleAndARoutersStageMayTakeNone) {
    NetworkParameters parameters;
    EXPECT_FALSE(parameters.find("hop_cycles")->set(std::int64_t{0}));
    for (const char* stage :
         {"routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles"}) {
        EXPECT_TRUE(parameters.find(stage)->set(std::int64_t{0})) << stage;
        EXPECT_FALSE(parameters.find(stage)->set(std::int64_t{-1})) << stage;
    }
}

}  // namespace
}  // namespace weir::network
