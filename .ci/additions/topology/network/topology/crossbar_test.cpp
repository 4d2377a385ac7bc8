#include "network/topology/crossbar.h"

#include <gtest/gtest.h>

#include "network/topology/metrics.h"

namespace weir::network {
namespace {

TEST(CrossbarTest, EveryNodeIsAHopFromEveryOther) {
    const Topology crossbar = crossbar_topology(6);
    EXPECT_EQ(crossbar.switch_count(), 1U);
    EXPECT_EQ(crossbar.node_count(), 6U);
    const Distances distances = distances_of(crossbar);
    EXPECT_EQ(distances.diameter, 1);
    EXPECT_DOUBLE_EQ(distances.mean_to_others, 1.0);
}

}  // namespace
}  // namespace weir::network
