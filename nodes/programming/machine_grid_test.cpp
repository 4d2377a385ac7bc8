#include "nodes/programming/machine_grid.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace weir::nodes {
namespace {

class MachineGridTest : public ::testing::Test {
  protected:
    static MachineGrid of(std::vector<std::int32_t> extents) {
        MachineShape shape;
        shape.mesh_extents = std::move(extents);
        return MachineGrid(shape);
    }
    using Place = std::vector<std::int32_t>;
};

TEST_F(MachineGridTest, PlacesAndNodesAreInverse) {
    const MachineGrid grid = of({4, 3, 2});
    EXPECT_EQ(grid.coordinates(hw::NodeId(17)), Place({1, 1, 1}));
    for (std::int32_t node = 0; node < 24; ++node) {
        EXPECT_EQ(grid.node_at(grid.coordinates(hw::NodeId(node))), hw::NodeId(node));
    }
    EXPECT_EQ(grid.node_at({-1, 3, 4}), hw::NodeId(3));
}

TEST_F(MachineGridTest, CountingContinuesAtTheOtherEnd) {
    const MachineGrid grid = of({4, 2});
    EXPECT_EQ(grid.around(hw::NodeId(3), 0, 1), hw::NodeId(0));
    EXPECT_EQ(grid.around(hw::NodeId(4), 0, -1), hw::NodeId(7));
    EXPECT_EQ(grid.around(hw::NodeId(1), 1, -3), hw::NodeId(5));
}

TEST_F(MachineGridTest, AnEdgeHasNoNeighbour) {
    const MachineGrid grid = of({4, 2});
    EXPECT_EQ(grid.neighbour(hw::NodeId(3), 0, 1), std::nullopt);
    EXPECT_EQ(grid.neighbour(hw::NodeId(4), 1, 1), std::nullopt);
    EXPECT_EQ(grid.neighbour(hw::NodeId(3), 0, -1), hw::NodeId(2));
}

}  // namespace
}  // namespace weir::nodes
