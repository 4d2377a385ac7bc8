#include <gtest/gtest.h>

#include "network/router/wormhole_router.h"

namespace weir::network {
namespace {

// The small tables per dimension give the same routes as a table over all nodes.
TEST(RouteTableTest, IsTheMeshsDimensionOrder) {
    for (const std::vector<std::int32_t>& extents :
         {std::vector<std::int32_t>{7}, {1, 5}, {4, 3}, {3, 4}, {2, 3, 4}}) {
        const Mesh mesh(extents);
        const auto places = std::make_shared<const LatticePlaces>(mesh.graph());
        for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
            const RouteTable table(places, mesh, hw::NodeId(node));
            const std::vector<std::uint8_t> ports = mesh.dimension_order_routes(hw::NodeId(node));
            for (std::size_t destination = 0; destination < ports.size(); ++destination) {
                ASSERT_EQ(table[destination], ports[destination]) << node << " " << destination;
            }
        }
    }
}

TEST(RouteTableTest, MayBeGivenPortByPort) {
    const RouteTable table{2, 0, 1};
    EXPECT_EQ(table[0], 2);
    EXPECT_EQ(table[1], 0);
    EXPECT_EQ(table[2], 1);
}

}  // namespace
}  // namespace weir::network
